import fc from 'fast-check';
import { isCredentialName } from '../../../../src/contracts/credential-names';
import { redactedJson, redactedStart, stripUrls } from '../../../../src/contracts/redact';
import { nameSummary, summariseCall, summariseText } from '../../../../src/contracts/runs/summaries';

const SUMMARY_BYTES = 400;
const summaryOf = (args: Record<string, unknown>): string => summariseCall({ toolName: 'api_call', args });

/** What a summary of unlimited length is to say. */
function redacted(value: unknown): unknown {
  if (typeof value === 'string') return stripUrls(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isCredentialName(name) ? '[hidden]' : redacted(item)]),
  );
}

test('a short value is written as JSON does, without its secrets', () => {
  const names = fc.oneof(fc.string(), fc.constantFrom('token', 'a', 'password', 'url', '__proto__x'));
  const texts = fc.oneof(fc.string(), fc.constantFrom('https://u:p@h/x?y=1 z', 'http://a.b/c"d?e'));
  const value = fc.letrec((tie) => ({
    one: fc.oneof(
      { maxDepth: 3 },
      texts,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('one'), { maxLength: 3 }),
      fc.dictionary(names, tie('one'), { maxKeys: 3 }),
    ),
  })).one;
  fc.assert(
    fc.property(value, (one) => {
      expect(redactedJson(one, 100_000)).toBe(JSON.stringify(redacted(one)));
    }),
    { numRuns: 1_000 },
  );
});

test('a summary reads no more of the arguments than it shows', () => {
  let looked = 0;
  const part = {
    get text() {
      looked += 1;
      return 'x'.repeat(50);
    },
  };
  const summary = summaryOf({ list: Array.from({ length: 1_000 }, () => part) });
  expect(summary).toHaveLength(120);
  expect(looked).toBeLessThanOrEqual(4);
});

test.each([
  ['a password', `https://someone:${'p'.repeat(5_000)}@host/path`],
  ['a password with quotes in it', `https://someone:${'p"'.repeat(5_000)}@host/path`],
  ['a query', `https://host/?key=${'p'.repeat(5_000)}`],
  [
    'a password that begins at the cut',
    `${'x'.repeat(60)} https://${'s'.repeat(930)}:${'p'.repeat(200)}@host/`,
  ],
])('%s that a cut goes through does not show', (_name, url) => {
  for (const before of ['', 'see ', 'x'.repeat(100)]) {
    expect(summaryOf({ url: before + url })).not.toMatch(/pp|sss|p"p/);
    expect(summariseText(`${before}${url}`)).not.toMatch(/pp|sss|p"p/);
  }
});

test('wherever a text is cut, no part of a password shows', () => {
  const around = fc.string({ maxLength: 1_300 });
  fc.assert(
    fc.property(around, around, fc.integer({ min: 1, max: 400 }), (before, after, length) => {
      const url = `https://u:${'ß'.repeat(length)}@host/p?q=${'ß'.repeat(length)}`;
      expect(redactedStart(`${before} ${url} ${after}`, 120)).not.toContain('ß');
      expect(summaryOf({ text: `${before} ${url} ${after}` })).not.toContain('ß');
    }),
  );
});

test('a name too long to be searched hides its value', () => {
  expect(redactedJson({ [`${'n'.repeat(1_000)}token`]: 'shown' }, 5_000)).not.toContain('shown');
});

test.each([
  ['control characters', '\u0001'.repeat(200)],
  ['halves of surrogate pairs', '\ud800'.repeat(200)],
  ['pairs', '😀'.repeat(200)],
  ['letters of three bytes', '漢'.repeat(200)],
  ['quotes', '"'.repeat(200)],
])('a summary of %s is short enough for the server', (_name, text) => {
  const summaries = [`${summariseText(text, 80)}: 50 steps`, summariseText(text), summaryOf({ text })];
  const named = ['s'.repeat(18), 's'.repeat(64)].flatMap((id) =>
    summaries.map((summary) => nameSummary(id, summary)),
  );
  for (const summary of [...summaries, ...named]) {
    expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThanOrEqual(SUMMARY_BYTES);
  }
});

test('half a pair is never what a name is cut to', () => {
  expect(summariseText(`${'a'.repeat(78)}😀b`, 80)).toBe(`${'a'.repeat(78)}…`);
});

test('the id of a step stands before its summary and is not cut', () => {
  expect(nameSummary('sum', 'calculator {}')).toBe('sum: calculator {}');
  expect(nameSummary('1, 2', undefined)).toBe('1, 2');
  const id = 's'.repeat(64);
  expect(nameSummary(id, 'x'.repeat(120))).toBe(`${id}: ${'x'.repeat(73)}…`);
});
