import fc from 'fast-check';
import { jsonLength } from '../../../src/contracts/json-length';
import {
  KEEP,
  resolveTemplates,
  TemplateReferenceError,
  type TemplateScope,
} from '../../../src/templates/resolve';
import { resolvedLength } from '../../../src/templates/resolved-length';

const scopeOf =
  (value: unknown): TemplateScope =>
  ({ root }) =>
    root === 'a' ? value : KEEP;
const piece = fc.oneof(fc.string(), fc.constantFrom('{{a}}', '{{b}}', '"', '{{a}} {{a}}', '\u0001'));
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const config = fc.oneof(text, fc.array(text), fc.dictionary(fc.string(), fc.oneof(text, fc.jsonValue())));

function errorOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

test('is never below the length that the value has once it is resolved, and at most about twice that', () => {
  fc.assert(
    fc.property(config, fc.jsonValue(), (value, inserted) => {
      const scope = scopeOf(inserted);
      const resolved = jsonLength(resolveTemplates(value, scope));
      const { length: estimated } = resolvedLength(value, scope);
      expect(estimated).toBeGreaterThanOrEqual(resolved);
      // Each piece of a text counts its own quotes, and each part of a value a comma.
      expect(estimated).toBeLessThanOrEqual(2 * resolved + 2 * jsonLength(value) + 8);
    }),
    { numRuns: 2_000 },
  );
});

test('says what was read where the value would be too long, and reads no further', () => {
  let asked = 0;
  const scope: TemplateScope = () => {
    asked += 1;
    return 'x'.repeat(1_000);
  };
  const config = { args: ['{{a}}'.repeat(1_000), '{{a}}'] };
  const { length, error } = resolvedLength(config, scope, 5_000);
  expect(asked).toBe(6);
  // The length counts the template, five texts with their quotes, and the name.
  expect(length).toBe(5_000 + 5 * 1_002 + 6);
  expect(error).toEqual(errorOf(() => resolveTemplates(config, scope, 5_000)));
  const fitting = resolvedLength('{{a}}'.repeat(5), scope, 5_000);
  expect(fitting.length).toBeGreaterThan(5_000);
  expect(fitting.error).toBeUndefined();
});

test('fails as resolving does, and says how much was read before', () => {
  const object = { text: 'x'.repeat(100) };
  const scope: TemplateScope = ({ root, text: written }) => {
    if (root === 'a') return object;
    throw new TemplateReferenceError(written, 'there is none');
  };
  const anyConfig = fc.array(fc.constantFrom('{{a}}', '{{a}} {{a}}', 'plain', '{{none.b}}'));
  fc.assert(
    fc.property(anyConfig, fc.integer({ min: 0, max: 1_000 }), (config, max) => {
      const { length, error } = resolvedLength(config, scope, max);
      const expected = errorOf(() => resolveTemplates(config, scope, max));
      expect(error).toEqual(expected);
      if (expected === undefined) return;
      const before = config.slice(0, config.indexOf('{{none.b}}') + 1).join('');
      const inserted = (before.split('{{a}}').length - 1) * jsonLength(object);
      if (inserted <= max && before !== '') expect(length).toBeGreaterThanOrEqual(inserted + before.length);
      else expect(length).toBeGreaterThanOrEqual(max);
    }),
  );
});
