import { findTemporals } from '../text/temporal';
import { unitOf } from '../word-problems/units';
import { ARTICLES } from '../text/stop-words';
import { tokenize } from '../text/tokenizer';
import { singular } from '../text/base-forms';
import { isKindOf } from './kinds';
import { conceptOf } from './words';
import { nounSenses } from './wordnet';
import narrower from '../text/lexicon/narrower.json';
import { wordsTagged } from '../text/lexicon/words';

/** Words of a question's general terms that a narrower word of a statement stands for. */
const NARROWER = new Map(
  Object.entries(narrower).map(([term, words]) => [conceptOf(term), words.split(' ').map(conceptOf)]),
);

/** True where a statement has a concept, or one that is narrower. */
export function hasTerm(terms: ReadonlySet<string>, term: string): boolean {
  return terms.has(term) || (NARROWER.get(term) ?? []).some((word) => terms.has(word));
}

/** A date, a day, a time, a year or a span. */
export function hasTime(text: string): boolean {
  const { tokens } = tokenize(text);
  return (
    findTemporals(tokens).length > 0 ||
    /\b(?:19|20)\d\d\b(?! [a-z]+s\b)/.test(text) ||
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i.test(text) ||
    /\b(?:in|on|since|until|by) (?:early |late |mid-)?(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|fall)\b/i.test(
      text,
    ) ||
    /\b\d{1,2}(?::\d\d)? ?(?:am|pm)\b/i.test(text) ||
    /\b(?:within|after|in|for|every) (?:\d+|[a-z]+) (?:hour|day|week|month|year)s?\b/i.test(text) ||
    /\b(?:last|next|this|every) (?:week|month|year|morning|evening|night|weekend|summer|winter|spring|autumn)\b/i.test(
      text,
    ) ||
    /\bat \d{1,2}(?::\d\d)?(?![\d,.]*\d)(?! ?(?:km|euros?|dollars?|percent|%|degrees?|years?))/i.test(text) ||
    /\bfrom \d{1,2}(?::\d\d)? (?:to|until|till) \d/i.test(text) ||
    /\b(?:first|second|third|last|next) (?:day|week|month|quarter|year)\b|\bday (?:one|\d+)\b/i.test(text) ||
    /\b(?:weekdays?|weekends?|daily|weekly|monthly)\b/i.test(text) ||
    /\b(?:christmas|easter|new year)\b/i.test(text)
  );
}

export function sameUnit(word: string, unit: string): boolean {
  return (
    unitOf(word) === unitOf(unit) ||
    conceptOf(word) === conceptOf(unit) ||
    hasTerm(new Set([conceptOf(word)]), conceptOf(unit)) ||
    (nounSenses(unit).length > 0 && isKindOf(word, unit))
  );
}

/** Words after a noun that are none themselves. */
const AFTER_NOUN = wordsTagged('after-noun');

/** The last noun says what something is: a coffee table is no drink, green tea is one, and so is a cup of tea. */
export function isHeadOfKind(nouns: readonly string[], kind: string): boolean {
  for (let at = nouns.length - 1; at >= 0; at--) {
    const noun = nouns[at] ?? '';
    if (noun.length < 2 || ARTICLES.has(noun)) continue;
    if (conceptOf(noun) === conceptOf(kind))
      return at < nouns.length - 1 || (at > 0 && !ARTICLES.has(nouns[at - 1] ?? ''));
    if (isKindOf(noun, kind) || (at > 0 && isKindOf(`${nouns[at - 1] ?? ''} ${noun}`, kind))) return true;
    const of = nouns.lastIndexOf('of', at);
    if (of > 0 && at > of) return isHeadOfKind(nouns.slice(0, of), kind);
    if (nounSenses(singular(noun)).length > 0 && noun.length > 2 && !AFTER_NOUN.has(noun)) return false;
  }
  return false;
}
