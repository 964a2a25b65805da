import { isTypoOf } from '../../text/edit-distance';
import { termsOf } from './terms';

/** A misspelt word counts a little less than the word itself. */
const TYPO_MATCH = 0.85;
/** Lightest term that counts as a word of content. */
const CONTENT_WEIGHT = 0.4;

/**
 * For a query, what tells of a memory the share of the query's words of content that the memory has too, by weight, 0 to 1;
 * undefined where the query has none. One-sided on purpose: what else the memory says makes it no less of an answer.
 * Pure.
 */
export function coverageBy(query: string): (memory: string) => number | undefined {
  const content = termsOf(query).filter((term) => term.weight >= CONTENT_WEIGHT);
  const wanted = new Map(content.map((term) => [term.text, term.weight]));
  let total = 0;
  for (const weight of wanted.values()) total += weight;
  return (memory) => {
    if (wanted.size === 0) return undefined;
    const present = new Set(termsOf(memory).map((term) => term.text));
    let found = 0;
    for (const [text, weight] of wanted) found += weight * matchOf(text, present);
    return found / total;
  };
}

function matchOf(wanted: string, present: ReadonlySet<string>): number {
  if (present.has(wanted)) return 1;
  for (const word of present) if (isTypoOf(wanted, word)) return TYPO_MATCH;
  return 0;
}
