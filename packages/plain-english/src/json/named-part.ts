import type { Token } from '../text/token';
import { plural, singular } from '../text/base-forms';
import { readPathWords } from './path-words';
import { guessPath } from './guess-path';
import { wordsTagged } from '../text/lexicon/words';

const BEFORE_SOURCE = new Set(['from', 'at', 'in', 'of', 'on', 'inside']);
/** What a source is called as a whole, or holds as a whole. */
const WHOLE = wordsTagged('named-part-whole');

/**
 * The path of the one part of a source that the words before it ask for: `get the score from`. Several things, or words for the source
 * as a whole, are no part.
 */
export function namedPart(before: readonly Token[]): string | undefined {
  const last = before.at(-1);
  const article = before.findIndex(({ lower }) => lower === 'the');
  if (!last || !BEFORE_SOURCE.has(last.lower) || article === -1) return undefined;
  const pathWords = readPathWords(before.slice(article, -1));
  const words = pathWords.flatMap((segment) => segment.words);
  const innermost = pathWords.at(-1)?.words.at(-1) ?? '';
  if (words.length === 0 || words.length > 3 || words.some((word) => WHOLE.has(word))) return undefined;
  if (
    pathWords.at(-1)?.index === undefined &&
    innermost === plural(innermost) &&
    innermost !== singular(innermost)
  )
    return undefined;
  return guessPath(pathWords);
}
