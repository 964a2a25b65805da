import fc from 'fast-check';
import { jsonLength } from '../../../src/contracts/json-length';
import { KEEP, resolveTemplates, TemplateReferenceError } from '../../../src/templates/resolve';
import type { TemplateScope } from '../../../src/templates/resolve';
import { resolvedLength } from '../../../src/templates/resolved-length';

const scopeOf =
  (value: unknown): TemplateScope =>
  ({ root }) =>
    root === 'a' ? value : KEEP;
const piece = fc.oneof(fc.string(), fc.constantFrom('{{a}}', '{{b}}', '"', '{{a}} {{a}}', '\u0001'));
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const config = fc.oneof(text, fc.array(text), fc.dictionary(fc.string(), fc.oneof(text, fc.jsonValue())));

test('is never below the length that the value has once it is resolved, and at most about twice that', () => {
  fc.assert(
    fc.property(config, fc.jsonValue(), (value, inserted) => {
      const scope = scopeOf(inserted);
      const resolved = jsonLength(resolveTemplates(value, scope));
      const estimated = resolvedLength(value, scope);
      expect(estimated).toBeGreaterThanOrEqual(resolved);
      // Each piece of a text counts its own quotes, and each part of a value a comma.
      expect(estimated).toBeLessThanOrEqual(2 * resolved + 2 * jsonLength(value) + 8);
    }),
    { numRuns: 2_000 },
  );
});

test('leaves what would be too long for resolving to report, and counts no further', () => {
  let asked = 0;
  const scope: TemplateScope = () => {
    asked += 1;
    return 'x'.repeat(1_000);
  };
  const config = { args: ['{{a}}'.repeat(1_000), '{{a}}'] };
  expect(resolvedLength(config, scope, 5_000)).toBe(0);
  expect(asked).toBe(6);
  expect(() => resolveTemplates(config, scope, 5_000)).toThrow(TemplateReferenceError);
  expect(resolvedLength('{{a}}'.repeat(5), scope, 5_000)).toBeGreaterThan(5_000);
});

test('leaves what cannot be resolved for resolving to report', () => {
  const scope: TemplateScope = ({ text: written }) => {
    throw new TemplateReferenceError(written, 'there is none');
  };
  expect(resolvedLength('{{a}}', scope)).toBe(0);
});
