import { createHash } from 'node:crypto';
import { textParts } from '../../../base/text/search-parts';
import { queryWords, textWords } from '../../memory/query-words';
import { stem } from '../../../base/text/stem';

/** Words are truncated to this length, because Lucene would split longer ones into several terms. */
const MAX_TERM_LENGTH = 100;

/** Matches combining accents and other marks of Latin, Greek and Cyrillic letters. */
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * Converts a text to the form that the full-text index reads: the stems of its words in lower case, without accents, and the parts
 * of those that are found by parts, with a space between them. The result is stored: a change of this function needs a new
 * version of the word index (`word-index.ts`), by which a run converts all texts again.
 */
export function termsOf(text: string): string {
  const folded = withoutAccents(text);
  return [...textWords(folded), ...textParts(folded)].map(toTerm).join(' ');
}

/**
 * Builds the Lucene query for texts of a user that have any of the words; undefined if the text has no word. Terms consist
 * of letters and digits and are quoted, so Lucene never reads them as syntax. The user does not count for the score.
 */
export function luceneQuery(userId: string, text: string): string | undefined {
  const terms = new Set(queryWords(withoutAccents(text)).map(toTerm));
  if (terms.size === 0) return undefined;
  const alternatives = [...terms].map((term) => `"${term}"`).join(' OR ');
  return `scope:"${scopeTerm(userId)}"^0 AND terms:(${alternatives})`;
}

/** A term that stands for a user, whatever characters are in the name. */
export function scopeTerm(userId: string): string {
  return createHash('sha256').update(userId, 'utf16le').digest('hex');
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}

function toTerm(word: string): string {
  return stem(word.slice(0, MAX_TERM_LENGTH));
}
