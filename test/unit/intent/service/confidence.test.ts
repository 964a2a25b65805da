import fc from 'fast-check';
import { byIntent } from '../../../../src/contracts/intent-types';
import {
  agreedConfidence,
  alternativesTo,
  contextTexts,
} from '../../../../src/intent/service/classification';

const share = fc.double({ min: 0, max: 1, noNaN: true });

test('agreement of independent judges multiplies their odds over those of a guess', () => {
  // Odds 1 and 4 over a quarter: 16 to 1.
  expect(agreedConfidence(0.5, 0.8)).toBeCloseTo(16 / 17, 10);
  expect(agreedConfidence(0.5, 0.2)).toBeCloseTo(0.5, 10);
});

test('agreement is never less than the first had, nor more than certain', () => {
  fc.assert(
    fc.property(share, share, (first, second) => {
      const agreed = agreedConfidence(first, second);
      expect(agreed).toBeGreaterThanOrEqual(first);
      expect(agreed).toBeLessThanOrEqual(1);
    }),
  );
});

test('alternatives are the other types that are likely enough, the likeliest first', () => {
  const opinion = {
    ...byIntent(() => 0),
    hybrid: 0.6,
    memory_chat: 0.1,
    conversation: 0.26,
    tool_execution: 0.04,
  };
  expect(alternativesTo('hybrid', opinion)).toEqual([
    { type: 'conversation', confidence: 0.26 },
    { type: 'memory_chat', confidence: 0.1 },
  ]);
});

test('the text of a context is that of its values, wherever they stand, and bounded', () => {
  expect(contextTexts({ topic: 'rain', more: { list: ['sun', 3, { deep: 'fog' }] } })).toBe('rain\nsun\nfog');
  expect(contextTexts({ long: 'x'.repeat(5_000) })).toHaveLength(1_000);
  expect(contextTexts({})).toBe('');
});
