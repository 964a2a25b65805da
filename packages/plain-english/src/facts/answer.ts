import type { FactAnswer, KnownFact } from './types';

/**
 * Answers a question from facts: with what holds now, or that nothing holds any more where the last value has ended. Undefined
 * where no fact is about what is asked.
 * @param facts of any time, in the order in which they began
 */
export function answerFromFacts(
  _query: string,
  _facts: readonly KnownFact[],
  _now: Date,
): FactAnswer | undefined {
  return undefined;
}
