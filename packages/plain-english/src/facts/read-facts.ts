import type { KnownFact, SaidFact } from './types';

/**
 * Reads the facts that a message says. What it wishes, asks, supposes, denies or reports of others is no fact about its author.
 * @param known the facts that hold before the message, the latest first: they say what `it` is in `I sold it`
 */
export function readFacts(_message: string, _known: readonly KnownFact[]): SaidFact[] {
  return [];
}
