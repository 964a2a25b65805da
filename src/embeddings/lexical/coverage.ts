import { isTypoOf } from '../../base/text/edit-distance';
import { termsOf } from './terms';

/** A misspelt word counts a little less than the word itself. */
const TYPO_MATCH = 0.85;
/** Lightest term that counts as a word of content. */
const CONTENT_WEIGHT = 0.4;

/** The share of a query's words of content that a memory has too, by weight, 0 to 1; undefined where the query has none. */
export type Coverage = (memory: string) => number | undefined;

/**
 * What tells of a memory how much of a query it covers. One-sided on purpose: what else the memory says makes it no less of
 * an answer. Pure.
 */
export function coverageBy(query: string): Coverage {
  return coverageByAny([query]);
}

/** The same by the one of several queries that the memory covers best. The memory's words are looked up once for all. */
export function coverageByAny(queries: readonly string[]): Coverage {
  const wanted = queries.map(contentOf).filter(({ total }) => total > 0);
  return (memory) => {
    if (wanted.length === 0) return undefined;
    const match = matchIn(new Set(termsOf(memory).map((term) => term.text)));
    let best = 0;
    for (const { weights, total } of wanted) {
      let found = 0;
      for (const [text, weight] of weights) found += weight * match(text);
      best = Math.max(best, found / total);
    }
    return best;
  };
}

interface Content {
  /** By term. */
  readonly weights: ReadonlyMap<string, number>;
  readonly total: number;
}

function contentOf(query: string): Content {
  const content = termsOf(query).filter((term) => term.weight >= CONTENT_WEIGHT);
  const weights = new Map(content.map((term) => [term.text, term.weight]));
  let total = 0;
  for (const weight of weights.values()) total += weight;
  return { weights, total };
}

/** How well a term is among those present, 0 to 1; each is looked for once, however many ask. */
function matchIn(present: ReadonlySet<string>): (wanted: string) => number {
  const known = new Map<string, number>();
  return (wanted) => {
    let match = known.get(wanted);
    if (match === undefined) {
      match = matchOf(wanted, present);
      known.set(wanted, match);
    }
    return match;
  };
}

function matchOf(wanted: string, present: ReadonlySet<string>): number {
  if (present.has(wanted)) return 1;
  for (const word of present) if (isTypoOf(wanted, word)) return TYPO_MATCH;
  return 0;
}
