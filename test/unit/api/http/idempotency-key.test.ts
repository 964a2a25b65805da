import { bindIdempotencyKey } from '../../../../api/http/request-headers';

const bind = (key: unknown, prefix?: string): string => bindIdempotencyKey('Idempotency-Key', key, prefix);

test('a key of the form of earlier builds is used as it is', () => {
  for (const key of ['8e03978e-40d5-43dd-bc93-6894a57f9324', 'a', 'A._:-9', 'x'.repeat(128)]) {
    expect(bind(key)).toBe(key);
    expect(bind(key, 'caller')).toBe(`caller.${key}`);
  }
});

test.each([
  ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  ['"a/b+c=="', 'a/b+c=='],
  [String.raw`"a\"b\\c"`, String.raw`a"b\c`],
  [`"${'~'.repeat(255)}"`, '~'.repeat(255)],
])('%.40s is the same key as without quotes', (quoted, plain) => {
  expect(bind(quoted)).toBe(bind(plain));
});

test('other keys become digests, which no key can be written as', () => {
  const keys = ['a/b', 'a+b', 'a=b', 'a%2Fb', 'x'.repeat(129), 'x'.repeat(255), `a'b`];
  const bound = keys.map((key) => bind(key));
  expect(new Set(bound).size).toBe(keys.length);
  for (const [index, key] of bound.entries()) {
    expect(key).toMatch(/^[A-Za-z0-9._:-]{129}$/);
    expect(bind(key)).not.toBe(key);
    expect(bind(keys[index])).toBe(key);
  }
});

test.each([
  '',
  '""',
  '"a',
  'a b',
  '"a b"',
  'k, k',
  '"k", "k"',
  'é',
  'a\u007f',
  'x'.repeat(256),
  `"${'x'.repeat(256)}"`,
  String.raw`"a\b"`,
])('%p is refused', (key) => {
  expect(() => bind(key)).toThrow('must be 1 to 255 visible characters, in double quotes or without');
});

test('only a text is a key', () => {
  expect(() => bind(7)).toThrow(expect.objectContaining({ code: 'VALIDATION' }));
});
