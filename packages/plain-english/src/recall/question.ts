import type { Question, Subject, Wanted } from './types';
import { conceptOf, type Word } from './words';

/** Words of those who speak. */
export const ABOUT_ME = new Set(['i', 'me', 'my', 'mine', 'we', 'our', 'us']);

export function textOf(words: readonly Word[]): string {
  return words.map(({ lower }) => lower).join(' ');
}

/** Words that say no more than the one they go with: a phone number is a phone. */
const IMPLIED: readonly (readonly [word: string, by: readonly string[]])[] = (
  [
    ['address', ['email']],
    ['number', ['phone', 'flat', 'passport', 'account']],
    ['code', ['pin']],
    ['type', ['blood']],
  ] as const
).map(([word, by]) => [conceptOf(word), by.map(conceptOf)]);

function needed(terms: readonly string[]): readonly string[] {
  const all = new Set(terms);
  for (const [word, by] of IMPLIED) if (by.some((one) => all.has(one))) all.delete(word);
  return [...all];
}

export function make(
  wanted: Wanted,
  subject: Subject,
  relation: string | undefined,
  terms: readonly string[],
  kind?: string,
  positive = true,
): Question {
  return {
    wanted,
    subject,
    relation,
    terms: needed(terms),
    anyOf: [],
    tense: undefined,
    kind,
    unit: undefined,
    positive,
  };
}

export function nobody(): Subject {
  return { who: 'other', terms: [], persons: [], mine: false };
}
