import fc from 'fast-check';
import { redactJsonText } from '../../../src/secrets/redact-json-text';
import { createRedactor } from '../../../src/secrets/redactor';

const redactor = createRedactor(['badge']);

/** Redacts the text of a value in parts of these lengths, one after the other. */
function inParts(value: unknown, lengths: readonly number[]): unknown {
  const text = JSON.stringify(value);
  const hidden = redactJsonText(redactor);
  let written = '';
  for (let at = 0, n = 0; at < text.length; n += 1) {
    const length = lengths[n % lengths.length]!;
    written += hidden.write(text.slice(at, at + length));
    at += length;
  }
  return JSON.parse(written + hidden.end());
}

const field = fc.oneof(
  fc.constantFrom('password', 'Authorization', 'badge', 'items', 'name', 'to"ken', 'back\\slash'),
  fc.string({ maxLength: 8 }),
);
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '',
    'Bearer abcdef123456',
    'https://u:p@host/',
    '{"password":"x y"}',
    'ends with \\',
    '"\\"',
    '€😀',
  ),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(field, tie('tree'), { maxKeys: 4 }),
  ),
}));

test('text in parts is hidden as the value is', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(tree, lengths, (value, parts) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(inParts(plain, parts)).toEqual(redactor.value(plain));
    }),
    { numRuns: 2_000, seed: 7 },
  );
});

test.each([1_000, 16_383, 16_384, 40_000])('texts of %i characters, as values and as names', (length) => {
  const long = `"\\${'x'.repeat(length)}\\`;
  for (const parts of [[1_000], [16_384], [length + 7]]) {
    const value = {
      long,
      password: long,
      [long]: 'a',
      list: [long, { token: { deep: [long, 1, true, null] } }],
    };
    const hidden = '[hidden]';
    expect(inParts(value, parts)).toEqual({
      long,
      password: hidden,
      // A name of more than 1,000 characters is not read.
      [long]: length >= 1_000 - 3 ? hidden : 'a',
      list: [long, { token: { deep: [hidden, hidden, true, null] } }],
    });
  }
});

test('a field that names what is beside it', () => {
  const value = [{ name: 'Cookie', value: 'a=b' }, { name: 'Accept', value: 'a' }, { value: 'c' }];
  expect(inParts(value, [3])).toEqual([{ name: 'Cookie', value: '[hidden]' }, ...value.slice(1)]);
});
