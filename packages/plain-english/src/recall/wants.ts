import { isCalendarWord } from '../text/temporal';
import type { Asked } from './asked';
import { hasTime, isHeadOfKind } from './evidence';
import type { Lookup } from './lookup';
import { isClosedKind, isKindOf, isMainlyKindOf } from './kinds';
import { singular } from '../text/base-forms';
import { verbOf } from './verbs';
import { nounSenses } from './wordnet';
import { isNumberWord } from '../text/number-words';
import { isCapital, isNameWord, isPersonNoun } from './persons';
import { hasAge, hasJob, nameAt } from './self';
import { relatedness } from './meanings';
import { LIGHT, conceptOf, lowerAt, plainText, type Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

const PLACING = wordsTagged('placing');
const NO_PLACE =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|noon|night|time|spring|summer|autumn|winter|last|next|every|somewhere|again|away|now|the|a|an|my|our|his|her|their|me|it|this|that|(?:19|20)\d\d|\d+(?:st|nd|rd|th)|with|least|all)$/;
const TIME_UNIT = /^(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|months?|years?)$/;
const OFTEN =
  /\b(?:every|daily|weekly|monthly|yearly|once|twice|times|always|never|often|rarely|each|per|sometimes|usually|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/;
const REASON =
  /\b(?:because|so|since|as|due to|to|that's|for|cause|but|until|thanks to|got|can not|in case)\b|,|;/;
const JOB_VERBS =
  /(?<!to )\b(?:works?|working|teach(?:es)?|runs?|sells?|repairs?|restores?|manages?|employed)\b/;

/** Whether some words hold what the question wants. */
export function holdsWanted({ question, asked }: Lookup, words: readonly Word[]): boolean {
  const text = plainText(words);
  const isNew = (word: Word): boolean => !asked.has(conceptOf(word.lower));
  const someNew = (test: (word: Word, at: number) => boolean): boolean =>
    words.some((word, at) => isNew(word) && test(word, at));
  switch (question.want) {
    case 'time':
      return hasTime(words);
    case 'duration':
      return (
        words.some((word, at) => isNumber(word) && isSpan(words, at)) || /\b(?:since|until|till)\b/.test(text)
      );
    case 'often':
      return OFTEN.test(text);
    case 'age':
      return hasAge(words) || /\b(?:born|birth|birthday)\b.*\b(?:19|20)\d\d\b/.test(text);
    case 'amount':
      return (
        words.some((word, at) => isNumber(word) && !isOfTime(words, at, question)) ||
        /\b(?:small|medium|large|half|a couple|no)\b/.test(text)
      );
    case 'code':
      return someNew((_, at) => isCode(words, at, asked));
    case 'address':
      return /\d/.test(text);
    case 'email':
      return words.some(({ token }) => token.kind === 'email' || token.text.includes('@'));
    case 'place':
      return (
        (/\baddress\b/.test(text) && /\d/.test(text)) ||
        ((question.kind !== undefined || question.ofAssistant) && someNew((_, at) => isNamed(words, at))) ||
        words.some((word, at) => PLACING.has(word.lower) && isPlace(words, at, asked))
      );
    case 'person':
      return someNew(
        (word, at) =>
          isNamed(words, at) ||
          (isPersonNoun(word) && !isMainlyKindOf(word.lower, 'animal')) ||
          ['couple', 'guy', 'man', 'woman', 'in-laws', 'firm'].includes(word.lower),
      );
    case 'name':
      return asked.size === 0
        ? nameAt(words) >= 0
        : someNew((_, at) => isNamed(words, at) && !PLACING.has(lowerAt(words, at - 1)));
    case 'job':
      return JOB_VERBS.test(text) || hasJob(words);
    case 'reason':
      return REASON.test(text.replace(/\bfor (?:\S+ ){1,2}(?:days|weeks|months|years)\b/g, ''));
    case 'kind':
      return holdsKind(question, words);
    default:
      return true;
  }
}

/** A number with a unit of time. */
const isSpan = (words: readonly Word[], at: number): boolean =>
  words.slice(at + 1, at + 4).some((next) => TIME_UNIT.test(next.lower));

const FLOOR = /^(?:ground|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top)$/;

/** A number, a name or a quotation that may be a code, a size or another label. */
function isCode(words: readonly Word[], at: number, asked: ReadonlySet<string>): boolean {
  const word = words[at];
  if (!word) return false;
  const { lower, token } = word;
  const next = lowerAt(words, at + 1);
  return (
    token.kind === 'quoted' ||
    (/\d/.test(token.text) && !/^\d\d?:\d\d$/.test(token.text) && !MONTH.test(next)) ||
    (isNumberWord(lower) && !TIME_UNIT.test(next)) ||
    (FLOOR.test(lower) && asked.has(conceptOf('floor'))) ||
    (token.kind === 'word' && /[-_.]\p{L}/u.test(token.text)) ||
    (!isPersonNoun(word) && isNamed(words, at))
  );
}

function isNumber({ lower, token }: Word): boolean {
  return (
    token.kind === 'number' || isNumberWord(lower) || /^[€$£]?\d[\d.,]*(?:kg|km|cm|m|g|h|%)?$/.test(lower)
  );
}

const MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;

/** Numbers of days, years and times are no amounts. */
function isOfTime(words: readonly Word[], at: number, { kind, unit }: Asked): boolean {
  const [before, word, after] = [lowerAt(words, at - 1), lowerAt(words, at), lowerAt(words, at + 1)];
  return (
    kind === undefined &&
    (MONTH.test(before) ||
      MONTH.test(after) ||
      /^\d{1,2}:\d\d/.test(word) ||
      /^(?:am|pm|o'clock)$/.test(after) ||
      (unit === undefined && TIME_UNIT.test(after)) ||
      (/^(?:19|20)\d\d$/.test(word) && /^(?:in|since|until|by|from|of)$/.test(before)) ||
      /^(?:turned|aged)$/.test(before) ||
      (before === 'at' && !/^(?:degrees?|euros?)/.test(after)))
  );
}

function isPlace(words: readonly Word[], at: number, asked: ReadonlySet<string>): boolean {
  let next = at + 1;
  while (/^(?:the|a|an|my|our|his|her|their|its|your|this|that|of|me|'s)$/.test(lowerAt(words, next))) next++;
  const word = words[next];
  if (!word || word.token.kind === 'symbol' || NO_PLACE.test(word.lower) || isCalendarWord(word.lower))
    return false;
  const before = lowerAt(words, at);
  if (before === 'by' && isPersonNoun(word)) return false;
  if (before === 'to' && next === at + 1 && verbOf(word.lower) === word.lower) return false;
  if (isCapital(word.token.text)) return true;
  return !MONTH.test(word.lower) && (next - at > 1 || !asked.has(conceptOf(word.lower)));
}

/** What a name is the name of, where the noun stands right before it: `the film Glass Tide`, `a cat called Miso`. */
function labelOf(words: readonly Word[], at: number): Word | undefined {
  let before = at - 1;
  while (
    before >= 0 &&
    (isNameWord(words, before) || /^(?:called|named|the|is|:)$/.test(lowerAt(words, before)))
  )
    before--;
  const label = words[before];
  return label?.token.kind === 'word' &&
    !LIGHT.has(label.lower) &&
    nounSenses(singular(label.lower)).length > 0 &&
    verbOf(label.lower) === undefined
    ? label
    : undefined;
}

function isNamed(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (!word) return false;
  if (isNameWord(words, at)) return true;
  return /^(?:called|named)$/.test(lowerAt(words, at - 1)) && !LIGHT.has(word.lower);
}

function isLabelled(words: readonly Word[], at: number, kind: string): boolean {
  const label = labelOf(words, at);
  return label === undefined || relatedness(label.lower, kind) > 0.7 || isKindOf(label.lower, kind);
}

export function holdsKind(
  { kind = '', taste, terms }: Asked,
  words: readonly Word[],
  withNames = true,
): boolean {
  const isNew = (word: Word): boolean =>
    !terms.some((term) => conceptOf(term.word) === conceptOf(word.lower));
  if (taste !== undefined) {
    const isFavourite = words.some(({ lower }) => /^(?:fav(?:ou?rites?|e)?|choice)$/.test(lower));
    if (isFavourite && words.some(({ lower }) => conceptOf(lower) === conceptOf(kind))) return true;
    const lowers = words.map(({ lower }) => lower);
    const end = lowers.findIndex((lower) => /^(?:in|at|on|with|for|from|to|than|by|after|,)$/.test(lower));
    return (
      isHeadOfKind(end < 2 ? lowers : lowers.slice(0, end), kind) ||
      lowers.some(
        (_, at) =>
          ['and', 'both', 'or', ','].includes(lowers[at + 1] ?? '') &&
          isHeadOfKind(lowers.slice(0, at + 1), kind),
      )
    );
  }
  const isOpen = withNames && !isClosedKind(kind);
  const isMeasure = isKindOf(kind, 'phenomenon') || isKindOf(kind, 'magnitude');
  return words.some((word, at) => {
    if (word.token.kind === 'symbol') return false;
    const { lower } = word;
    if (conceptOf(lower) === conceptOf(kind) || relatedness(lower, kind) > 0.9) return true;
    return (
      isNew(word) &&
      (isKindOf(lower, kind) ||
        terms.some((term) => term.isPerson && isKindOf(lower, term.word)) ||
        (at > 0 && isKindOf(`${lowerAt(words, at - 1)} ${lower}`, kind)) ||
        (isOpen &&
          ((!isMeasure && isNamed(words, at) && isLabelled(words, at, kind)) ||
            (word.token.kind !== 'word' && !isNumber(word)) ||
            (isNumber(word) && isMeasure && !TIME_UNIT.test(lowerAt(words, at + 1))))))
    );
  });
}
