import { findTemporals } from '../text/temporal';
import { unitOf } from '../text/units';
import { ARTICLES } from '../text/stop-words';
import { singular } from '../text/base-forms';
import { isKindOf } from './kinds';
import { conceptOf, plainText, type Word } from './words';
import { nounSenses } from './wordnet';
import narrower from '../text/lexicon/narrower.json';
import { wordsTagged } from '../text/lexicon/words';

/** Words of a question's general terms that a narrower word of a statement stands for. */
const NARROWER = new Map(
  Object.entries(narrower).map(([term, words]) => [conceptOf(term), words.split(' ').map(conceptOf)]),
);

/** True where a word of a statement says what a word of a question asks for, or something narrower. */
export function saysTerm(said: string, asked: string): boolean {
  const [concept, term] = [conceptOf(said), conceptOf(asked)];
  return concept === term || (NARROWER.get(term) ?? []).includes(concept);
}

const TIME =
  /\b(?:today|tonight|yesterday|tomorrow|morning|afternoon|evening|night|noon|midnight|o'clock|half past|quarter (?:to|past)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|daily|weekly|monthly|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|christmas|easter|new year|(?:in|since|until|by|this|last|next) (?:early |late |mid-)?fall|(?:last|next|this|every) (?:week|month|year)|(?:first|second|third|last|next) (?:day|week|month|quarter|year)|day (?:one|\d+)|(?:within|after|in|for|every) (?:\d+|[a-z]+) (?:hour|day|week|month|year)s?|(?:since|until|till|at) (?:i was |\S+$)|the \d+(?:st|nd|rd|th)|(?:on|by|until|till) the (?:first|second|third|fourth|fifth|tenth|last)(?= ?(?:$|[.,;!]|of)))\b|\d:\d\d|\bat (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d)|\b\d{1,2}(?:st|nd|rd|th| ?[ap]m)\b|\b(?:19|20)\d\d\b(?! [a-z]+s\b)|\bfrom \d{1,2} (?:to|until|till) \d/;

/** A date, a day, a time, a year or a span. */
export function hasTime(words: readonly Word[]): boolean {
  return findTemporals(words.map(({ token }) => token)).length > 0 || TIME.test(plainText(words));
}

export function sameUnit(word: string, unit: string): boolean {
  return (
    unitOf(word) === unitOf(unit) ||
    saysTerm(word, unit) ||
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
