import { ARTICLES } from '../text/stop-words';
import type { Cursor } from './cursor';
import type { Expression } from './expression';
import { wordsTagged } from '../text/lexicon/words';

const FIELD_NAMES = wordsTagged('field-names');
const ASKING = wordsTagged('asking');
/** Longest name of a part, in words. */
const MAX_WORDS = 4;

/** `the total`, `its price`: part of the data that an earlier step brought. */
export function readField(cursor: Cursor): Expression | undefined {
  const { hasFields } = cursor.context;
  if (!hasFields || cursor.current !== undefined) return undefined;
  const words: string[] = [];
  const start = cursor.at;
  while (words.length < MAX_WORDS) {
    const next = cursor.peek();
    if (next?.type !== 'unknown' && next?.type !== 'pronoun') break;
    // `the total` of fetched data is a part of it, although it would be the result of a sum after one.
    const word = (next.last ?? next.token).lower;
    if (next.type === 'pronoun' && !FIELD_NAMES.has(word)) break;
    cursor.at++;
    if (!ARTICLES.has(word) && !ASKING.has(word)) words.push(word);
  }
  if (words.length > 0) return { kind: 'field', words };
  cursor.at = start;
  return undefined;
}
