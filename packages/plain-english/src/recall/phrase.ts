import { tokenize } from '../text/tokenizer';
import type { Clause } from './clause';
import { type Passage, textOf } from './passages';
import { toSecondPerson } from './person';
import type { Word } from './words';

/** Some words of what the user said, as one tells them what they said. */
export function tellWords(passage: Passage, words: readonly Word[]): string {
  const said = textOf(passage, words).replace(/[.!;,]+$/, '');
  return toSecondPerson(said, tokenize(said).tokens);
}

/** A clause, with the subject that it takes from the clause before: `you live in Bath and drive a van` has two. */
export function tellClause(passage: Passage, clause: Clause): string {
  const told = tellWords(passage, clause.words);
  return clause.taken.length === 0 ? told : `${tellWords(passage, clause.taken)} ${told}`;
}

/** Statements in one sentence: `your name is Dana, and you prefer tea`. */
export function joinAll(parts: readonly string[], mark: ';' | ','): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(`${mark} `)}${mark} and ${last}`;
}
