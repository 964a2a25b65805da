import { isCalendarWord } from '../text/temporal';
import type { Asked } from './asked';
import { hasTime, isHeadOfKind } from './evidence';
import { isClosedKind, isKindOf, isMainlyKindOf } from './kinds';
import { singular } from '../text/base-forms';
import { verbOf } from './verbs';
import { nounSenses } from './wordnet';
import { isNumberWord } from '../text/number-words';
import { isCapital, isNameWord, isPersonNoun } from './persons';
import { hasAge, hasJob, nameAt } from './self';
import { relatedness } from './meanings';
import { LIGHT, conceptOf, type Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

const PLACING = wordsTagged('placing');
const NO_PLACE =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|noon|night|time|spring|summer|autumn|winter|last|next|every|somewhere|again|away|now|the|a|an|my|our|his|her|their|me|it|this|that|(?:19|20)\d\d|\d+(?:st|nd|rd|th)|with|least|all)$/;
const TIME_UNIT = /^(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|months?|years?)$/;
const OFTEN =
  /\b(?:every|daily|weekly|monthly|yearly|once|twice|times|always|never|often|rarely|each|per|sometimes|usually|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/;
const TIME =
  /\b(?:today|tonight|yesterday|tomorrow|morning|afternoon|evening|night|noon|midnight|o'clock|half past|quarter (?:to|past)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|christmas|easter|(?:since|until|till|at) (?:i was |\S+$)|the \d+(?:st|nd|rd|th)|(?:on|by|until|till) the (?:first|second|third|fourth|fifth|tenth|last)(?= ?(?:$|[.,;!]|of)))\b|\d:\d\d|\bat (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d)|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:19|20)\d\d\b(?! [a-z]+s\b)/;
const REASON =
  /\b(?:because|so|since|as|due to|to|that's|for|cause|but|until|thanks to|got|can not|in case)\b|,|;/;
const JOB_VERBS =
  /(?<!to )\b(?:works?|working|teach(?:es)?|runs?|sells?|repairs?|restores?|manages?|employed)\b/;

/** Whether some words hold what the question wants; `asked` are the concepts of its own words. */
export function holdsWanted(
  question: Asked,
  words: readonly Word[],
  text: string,
  asked: ReadonlySet<string>,
): boolean {
  const lower = words.map((word) => word.lower).join(' ');
  const isNew = (word: Word): boolean => !asked.has(conceptOf(word.lower));
  switch (question.want) {
    case 'time':
      return hasTime(text) || TIME.test(lower);
    case 'duration':
      return (
        words.some(
          (word, at) =>
            isNumber(word) && words.slice(at + 1, at + 4).some((next) => TIME_UNIT.test(next.lower)),
        ) || /\b(?:since|until|till)\b/.test(lower)
      );
    case 'often':
      return OFTEN.test(lower);
    case 'age':
      return hasAge(words) || /\b(?:born|birth|birthday)\b.*\b(?:19|20)\d\d\b/.test(lower);
    case 'amount':
      return (
        words.some((word, at) => isNumber(word) && !isOfTime(words, at, question)) ||
        /\b(?:small|medium|large|half|a couple)\b/.test(lower) ||
        words.some(({ lower: one }) => one === 'no')
      );
    case 'code':
      return words.some(
        (word) =>
          isNew(word) &&
          ((/\d/.test(word.token.text) &&
            !/^\d\d?:\d\d$/.test(word.token.text) &&
            !MONTH.test(words[words.indexOf(word) + 1]?.lower ?? '')) ||
            word.token.kind === 'quoted' ||
            (isNumberWord(word.lower) && !TIME_UNIT.test(words[words.indexOf(word) + 1]?.lower ?? '')) ||
            (/^(?:ground|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top)$/.test(
              word.lower,
            ) &&
              asked.has(conceptOf('floor'))) ||
            (word.token.kind === 'word' && /[-_.]\p{L}/u.test(word.token.text)) ||
            (!isPersonNoun(word) && isNamed(words, words.indexOf(word)))),
      );
    case 'address':
      return /\d/.test(lower);
    case 'email':
      return words.some(({ token }) => token.kind === 'email' || token.text.includes('@'));
    case 'place':
      if (/\baddress\b/.test(lower) && /\d/.test(lower)) return true;
      if (
        (question.kind !== undefined || question.ofAssistant) &&
        words.some((word, at) => isNew(word) && isNamed(words, at))
      )
        return true;
      return words.some((word, at) => PLACING.has(word.lower) && isPlace(words, at, asked));
    case 'person':
      return words.some(
        (word, at) =>
          isNew(word) &&
          (isNamed(words, at) ||
            (isPersonNoun(word) && !isMainlyKindOf(word.lower, 'animal')) ||
            ['couple', 'guy', 'man', 'woman', 'in-laws', 'firm'].includes(word.lower)),
      );
    case 'name':
      if (asked.size === 0) return nameAt(words) >= 0;
      return words.some(
        (word, at) => isNew(word) && isNamed(words, at) && !PLACING.has(words[at - 1]?.lower ?? ''),
      );
    case 'job':
      return JOB_VERBS.test(lower) || hasJob(words);
    case 'reason':
      return REASON.test(lower.replace(/\bfor (?:\S+ ){1,2}(?:days|weeks|months|years)\b/g, ''));
    case 'kind':
      return holdsKind(question, words);
    default:
      return true;
  }
}

function isNumber({ lower, token }: Word): boolean {
  return (
    token.kind === 'number' || isNumberWord(lower) || /^[€$£]?\d[\d.,]*(?:kg|km|cm|m|g|h|%)?$/.test(lower)
  );
}

const MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;

/** Numbers of days, years and times are no amounts. */
function isOfTime(words: readonly Word[], at: number, { kind, unit }: Asked): boolean {
  const [before = '', word = '', after = ''] = [words[at - 1]?.lower, words[at]?.lower, words[at + 1]?.lower];
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
  while (/^(?:the|a|an|my|our|his|her|their|its|your|this|that|of|me|'s)$/.test(words[next]?.lower ?? ''))
    next++;
  const word = words[next];
  if (
    !word ||
    word.token.kind === 'symbol' ||
    (isPersonNoun(word) && words[at]?.lower === 'by') ||
    NO_PLACE.test(word.lower) ||
    (MONTH.test(word.lower) && !isCapital(words[next]?.token.text ?? ''))
  )
    return false;
  if (isCalendarWord(word.lower)) return false;
  if (words[at]?.lower === 'to' && next === at + 1 && verbOf(word.lower) === word.lower) return false;
  return next - at > 1 || isCapital(word.token.text) || !asked.has(conceptOf(word.lower));
}

/** What a name is the name of, where the noun stands right before it: `the film Glass Tide`, `a cat called Miso`. */
function labelOf(words: readonly Word[], at: number): Word | undefined {
  let before = at - 1;
  while (
    before >= 0 &&
    (isNameWord(words, before) || /^(?:called|named|the|is|:)$/.test(words[before]?.lower ?? ''))
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
  const before = words[at - 1]?.lower ?? '';
  return ['called', 'named'].includes(before) && !LIGHT.has(word.lower);
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
        (at > 0 && isKindOf(`${words[at - 1]?.lower ?? ''} ${lower}`, kind)) ||
        (isOpen &&
          ((!isMeasure && isNamed(words, at) && isLabelled(words, at, kind)) ||
            (word.token.kind !== 'word' && !isNumber(word)) ||
            (isNumber(word) && isMeasure && !TIME_UNIT.test(words[at + 1]?.lower ?? '')))))
    );
  });
}
