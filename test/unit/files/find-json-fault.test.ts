import fc from 'fast-check';
import { findJsonFault } from '../../../src/files/find-json-fault';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '"a"',
  '\\',
  '\\u00',
  '0',
  '1',
  '-',
  '.',
  'e+',
  'true',
  'nul',
  ' ',
  '\n',
  '\u000b',
  '\u00e9',
];

test('a text has no fault exactly if it parses', async () => {
  const json = fc.json({ maxDepth: 4 });
  const broken = fc
    .tuple(json, fc.nat(), fc.nat(3), fc.constantFrom(...PIECES, ''))
    .map(
      ([text, at, cut, piece]) =>
        text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + cut),
    );
  const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(''));
  const spaced = fc
    .tuple(fc.jsonValue(), fc.constantFrom(' ', '\t', '\r\n'))
    .map(([value, space]) => `${space}${JSON.stringify(value, null, space)}${space}`);
  await fc.assert(
    fc.asyncProperty(fc.oneof(json, broken, soup, spaced), async (text) => {
      expect([text, (await findJsonFault(text)) === undefined]).toEqual([text, parses(text)]);
    }),
    { numRuns: 1_000 },
  );
});

test('a fault is named by its place or by the nesting', async () => {
  expect(await findJsonFault('[1, 2,]')).toBe('it goes wrong at character 7');
  expect(await findJsonFault('')).toBe('it goes wrong at character 1');
  expect(await findJsonFault('[[[]]]', 3)).toBeUndefined();
  expect(await findJsonFault('[[{}]]', 2)).toBe('it is nested deeper than 2 levels');
});

const UNITS = 8 * 1_048_576;

test.each([
  ['numbers beyond a double', `[${'1e400,'.repeat(UNITS / 6 - 1)}1]`],
  ['small objects', `[${'{},'.repeat(UNITS / 3 - 1)}1]`],
  ['one string', `"${'\\u0041a'.repeat(UNITS / 7)}"`],
  ['one number', `1${'0'.repeat(UNITS)}`],
])('8 MiB of %s take no memory, and leave the event loop to others', async (_what, text) => {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const before = process.memoryUsage().heapUsed;
  expect(await findJsonFault(text)).toBeUndefined();
  clearInterval(timer);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  longest = Math.max(longest, performance.now() - last);
  expect(longest).toBeLessThan(1_000);
});
