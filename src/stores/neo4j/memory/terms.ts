import { createHash } from 'node:crypto';
import { queryWords, textWords } from '../../memory/query-words';
import { stem } from '../../../base/text/stem';

/** Longer ones are cut here; Lucene would cut them into several. */
const MAX_TERM = 100;

/** Accents and other marks of Latin, Greek and Cyrillic. */
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * A text as the full-text index has it: the stems of its words, without case and accents, a space between each. It is
 * stored, so a change of what this returns needs a migration that makes all of them again.
 */
export function termsOf(text: string): string {
  return [...textWords(withoutAccents(text))].map(toTerm).join(' ');
}

/**
 * The Lucene query for texts of a user with any of the words; undefined where there is no word. All in quotes is made
 * of letters and digits, so nothing is taken for syntax. Whose a text is does not count for its score.
 */
export function luceneQuery(userId: string, text: string): string | undefined {
  const terms = new Set(queryWords(withoutAccents(text)).map(toTerm));
  if (terms.size === 0) return undefined;
  const alternatives = [...terms].map((term) => `"${term}"`).join(' OR ');
  return `scope:"${scopeTerm(userId)}"^0 AND terms:(${alternatives})`;
}

/** One term that stands for a user, whatever is in the name. */
export function scopeTerm(userId: string): string {
  return createHash('sha256').update(userId, 'utf16le').digest('hex');
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}

function toTerm(word: string): string {
  return stem(word.slice(0, MAX_TERM));
}
