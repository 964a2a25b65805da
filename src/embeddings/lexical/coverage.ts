import { isTypoOf } from '../../base/text/edit-distance';
import { queryParts, textParts } from '../../base/text/search-parts';
import { comparedTermsOf } from './terms';

/** A misspelt word counts a little less than the word itself. */
const TYPO_MATCH = 0.85;
/**
 * The maximum number of words of content up to which typing errors in them are forgiven. Of a longer text each word would be
 * compared with each word of the memory, and it has enough other words to be found by.
 */
const MAX_FORGIVEN = 50;
/** The minimum weight of a term that counts as a word of content. */
const MIN_CONTENT_WEIGHT = 0.4;

/** The share of a query's words of content that a memory also has, by weight, 0 to 1; undefined if the query has none. */
export type Coverage = (memory: string) => number | undefined;

/**
 * Creates a function that measures how much of a query a memory covers. The measure is one-sided: further words of the memory do
 * not lower it, because they do not make it a worse answer. Pure.
 */
export function coverageBy(query: string): Coverage {
  return coverageByAny([query]);
}

/** Does the same for several queries: the result is that of the query which the memory covers best. */
export function coverageByAny(queries: readonly string[]): Coverage {
  const wanted = queries
    .flatMap(readCase)
    .map(extractContent)
    .filter(({ total }) => total > 0);
  const words = new Set(wanted.flatMap(({ weights }) => [...weights.keys()]));
  const isForgiving = words.size <= MAX_FORGIVEN;
  return (memory) => {
    if (wanted.length === 0) return undefined;
    const terms = readCase(memory).flatMap((text) => comparedTermsOf(text, textParts));
    const match = createMatcher(new Set(terms.map(({ text }) => text)), isForgiving);
    let best = 0;
    for (const { weights, total } of wanted) {
      let matchedWeight = 0;
      for (const [text, weight] of weights) matchedWeight += weight * match(text);
      best = Math.max(best, matchedWeight / total);
    }
    return best;
  };
}

/** Reads `orderId` as two words and `iPhone` as one: a text with such a word is compared in both readings. */
function readCase(text: string): string[] {
  return /[\p{Ll}\p{N}]\p{Lu}/u.test(text) ? [text, text.toLowerCase()] : [text];
}

interface Content {
  /** The weights by term. */
  readonly weights: ReadonlyMap<string, number>;
  readonly total: number;
}

function extractContent(query: string): Content {
  const content = comparedTermsOf(query, queryParts).filter((term) => term.weight >= MIN_CONTENT_WEIGHT);
  const weights = new Map(content.map((term) => [term.text, term.weight]));
  let total = 0;
  for (const weight of weights.values()) total += weight;
  return { weights, total };
}

/**
 * Creates a function that finds how well a term matches one of those present, 0 to 1. It searches for each term only once.
 * @param isForgiving whether a word with a typing error matches
 */
function createMatcher(present: ReadonlySet<string>, isForgiving: boolean): (wanted: string) => number {
  const known = new Map<string, number>();
  return (wanted) => {
    let match = known.get(wanted);
    if (match === undefined) {
      match = findMatch(wanted, present, isForgiving);
      known.set(wanted, match);
    }
    return match;
  };
}

function findMatch(wanted: string, present: ReadonlySet<string>, isForgiving: boolean): number {
  if (present.has(wanted)) return 1;
  if (!isForgiving) return 0;
  for (const word of present) if (isTypoOf(wanted, word)) return TYPO_MATCH;
  return 0;
}
