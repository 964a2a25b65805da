import fc from 'fast-check';
import { OWNER, PATIENT, useSandbox } from './support';

const sandbox = useSandbox();

test.each([
  '(args) => args.a',
  'function (args) { return 1 }',
  'function named(args) { return 1 }',
  'async ({ a }) => a; // comment',
  'execute(args) { return 1 }',
  'return args.a',
  'const a = 1;\nif (a) { return 2 }\nreturn 3',
  'args.a + 1',
  'throw new Error("always")',
  '/* first */ (args) => `}) ; ${"({["}`',
  'return /[)}]/.test("}")',
])('%j is fine', async (source) => {
  expect(await sandbox.check(source, OWNER)).toBeUndefined();
});

test('checking runs nothing', async () => {
  for (const source of ['(() => { while (true) {} })()', 'while (true) {}', '`${(() => { throw 1 })()}`']) {
    expect(await sandbox.check(source, OWNER)).toBeUndefined();
  }
});

test.each([
  ['an arrow function', '(args) => {\n  return args.a + ;\n}', { line: 2, column: 19 }],
  ['a body', 'const a = 1;\nreturn a +* 2', { line: 2, column: 11 }],
  ['the first line', 'return 1 +* 2', { line: 1, column: 11 }],
  ['an expression', '(args) => args.a args.b', { line: 1, column: 18 }],
  ['an async method', 'async execute(args) {\n  return ];\n}', { line: 2, column: 10 }],
  ['Windows line ends', '(args) => {\r\n  return ];\r\n}', { line: 2, column: 10 }],
  ['leading blank lines', '\n\n  return ];', { line: 3, column: 10 }],
])('the position of a problem in %s', async (_name, source, position) => {
  expect(await sandbox.check(source, OWNER)).toMatchObject({
    ...position,
    message: expect.stringMatching(/unexpected|expecting/),
  });
});

test.each([
  ['a block', 'if (args.a) {\n  return 1;', { line: 2, column: 12 }],
  ['a parenthesis', '(args) => Math.max(1', { line: 1, column: 21 }],
])('code that ends inside %s', async (_name, source, position) => {
  expect(await sandbox.check(source, OWNER)).toEqual({ message: 'unexpected end of the code', ...position });
});

test.each([
  '',
  '  \n\t ',
  '/* open',
  '`open',
  '"open',
  'import fs from "fs"; return fs',
  'export default (args) => 1',
  '@',
  '{ "name": 1 }x',
])('%j is a problem', async (source) => {
  const problem = await sandbox.check(source, OWNER);
  expect(problem).toMatchObject({
    message: expect.stringMatching(/./),
    line: expect.any(Number),
    column: expect.any(Number),
  });
  expect(problem!.line).toBeGreaterThan(0);
  expect(problem!.column).toBeGreaterThan(0);
});

describe('text that closes what it is wrapped in', () => {
  const closers = ['}', ')', '})', '))', '} : 0)', ': 0)', ': 0))', '\n} : 0)', '}]', ']', '})()'];
  const openers = [
    '{',
    '(',
    '() => {',
    '(() => {',
    '(0 ? () => {',
    '(async (args) => {',
    '(0 ? async (args) => {',
    '(async (args) => (',
    '(0 ?',
    'function () {',
    'x = {',
    '[',
    '/*',
    '`',
  ];
  const between = [
    '',
    ';',
    ',',
    ' ; globalThis.evil = 1; ',
    ', globalThis.evil = 1, ',
    ' || ',
    '.x',
    '[x]=',
    ' in ',
    '(1)',
    '\n',
    ' => ',
    ' ? 1 : ',
  ];

  test('is a problem, whatever it opens afterwards', async () => {
    const pick = (texts: string[]) => fc.constantFrom(...texts);
    const text = fc.tuple(
      pick(['', '1', 'return 1;', 'args.a']),
      pick(closers),
      pick(between),
      pick(openers),
      pick(['', '1', 'return 2']),
    );
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        expect(await sandbox.check(parts.join(''), OWNER)).toBeDefined();
      }),
      { numRuns: 600 },
    );
  });
});

test('long source is fine', async () => {
  const source = `(args) => {\n${'  args.a += 1;\n'.repeat(20_000)}  return args.a;\n}`;
  expect(await sandbox.check(source, OWNER)).toBeUndefined();
  expect((await sandbox.run(source, { a: 0 }, PATIENT)).value).toBe(20_000);
});
