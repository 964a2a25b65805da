import { isTypoOf } from '../../text/edit-distance';
import { termsOf } from './terms';

/** A misspelt word counts a little less than the word itself. */
const TYPO_MATCH = 0.85;
/** Lightest term that counts as a word of content. */
const CONTENT_WEIGHT = 0.4;

/**
 * The share of a query's words of content that a memory has too, by weight, 0 to 1; undefined where the query has
 * none. One-sided on purpose: what else the memory says makes it no less of an answer.
 */
export function coverageOf(query: string, memory: string): number | undefined {
  const wanted = new Map(
    termsOf(query)
      .filter((term) => term.weight >= CONTENT_WEIGHT)
      .map((term) => [term.text, term.weight]),
  );
  if (wanted.size === 0) return undefined;
  const present = new Set(termsOf(memory).map((term) => term.text));
  let total = 0;
  let found = 0;
  for (const [text, weight] of wanted) {
    total += weight;
    found += weight * matchOf(text, present);
  }
  return found / total;
}

function matchOf(wanted: string, present: ReadonlySet<string>): number {
  if (present.has(wanted)) return 1;
  for (const word of present) if (isTypoOf(wanted, word)) return TYPO_MATCH;
  return 0;
}
