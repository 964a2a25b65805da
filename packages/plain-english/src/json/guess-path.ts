import { plural } from '../text/base-forms';
import type { PathSegment } from './path-words';
import { wordsTagged } from '../text/lexicon/words';

/** Words for what lists hold, which need not be keys. */
const GENERIC = wordsTagged('guess-path-generic');

/** The path that the words most likely mean in a document not seen yet. */
export function guessPath(segments: readonly PathSegment[]): string | undefined {
  const isGeneric = ({ words, index }: PathSegment): boolean =>
    index === undefined && words.every((word) => GENERIC.has(word));
  const named = segments.length > 1 ? segments.filter((segment) => !isGeneric(segment)) : segments;
  const path = named
    .map(({ words, index }) => {
      const key = words.join('_');
      if (index === undefined) return `.${key}`;
      const place = index === 'all' ? '[*]' : `[${index}]`;
      return key === '' || (GENERIC.has(key) && segments.length > 1) ? place : `.${plural(key)}${place}`;
    })
    .join('');
  return path === '' ? undefined : `$${path}`;
}
