import { spend } from '../allowance';
import { isTypoOf } from '../text/edit-distance';
import { onceFor } from '../text/once-for';
import { stem, wordsOf } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import type { ToolParameter } from '../types';
import { nounSenses, remembered, withKinds } from '../recall/wordnet';
import { singular } from '../text/base-forms';
import { relatedness } from '../recall/meanings';
import { hintsFor } from './choice-hints';
import { isAlias } from './enum-aliases';
import { plainStem } from './slots';
import { MAX_TOKENS } from './spans';
import { isKnownWord } from './synonyms';

/** A choice found in a sentence. */
export interface ChoiceHit {
  readonly value: string;
  readonly from: number;
  readonly to: number;
  /** 0 to 1: 1 where it stands letter by letter. */
  readonly likeness: number;
}

interface Choice {
  readonly value: string;
  readonly lower: string;
  readonly words: readonly string[];
  /** Stems of what the description calls it by, and no other choice. */
  readonly hints: ReadonlySet<string>;
}

/** The choices with their words, the longest first. */
const choicesOf = onceFor((parameter: ToolParameter): readonly Choice[] => {
  const hints = hintsFor(parameter);
  const choices = (parameter.enum ?? [])
    .map((value, at) => ({
      value,
      lower: value.toLowerCase(),
      words: wordsOf(value),
      hints: hints[at] ?? new Set(),
    }))
    .filter(({ words }) => words.length > 0)
    .sort((a, b) => b.words.length - a.words.length);
  return choices;
});

/** Work of reading a choice with its description, and of comparing it with one token. */
const CHOICE_COST = 6;
const TOKEN_COST = 3;

const DENIALS = new Set("not no without isn't aren't don't never instead rather".split(' '));

/** Every place where one of the parameter's choices stands and is not denied, the longest first at each place. */
export function findChoices(tokens: readonly Token[], parameter: ToolParameter): ChoiceHit[] {
  const said = tokens.slice(0, MAX_TOKENS).filter(mayBeChoice).length;
  spend((parameter.enum?.length ?? 0) * (CHOICE_COST + TOKEN_COST * said));
  const choices = choicesOf(parameter);
  const hits: ChoiceHit[] = [];
  for (let at = 0; at < Math.min(tokens.length, MAX_TOKENS);) {
    const hit = hitAt(tokens, at, choices);
    if (hit && !isDenied(tokens, at)) hits.push(hit);
    at = hit ? hit.to : at + 1;
  }
  return hits;
}

function isDenied(tokens: readonly Token[], at: number): boolean {
  const [before = '', earlier = ''] = [tokens[at - 1]?.lower, tokens[at - 2]?.lower];
  return (
    DENIALS.has(before) ||
    (/^(?:a|an|the|very|too|so)$/.test(before) && DENIALS.has(earlier)) ||
    (before === 'than' && earlier === 'rather')
  );
}

/** Of signs only those of currencies say a choice. */
function mayBeChoice({ kind, text }: Token): boolean {
  if (/^(?:number|json|url|email|date|time|phone)$/.test(kind)) return false;
  return kind !== 'symbol' || /\p{Sc}/u.test(text);
}

function hitAt(tokens: readonly Token[], at: number, choices: readonly Choice[]): ChoiceHit | undefined {
  const token = tokens[at];
  if (!token || !mayBeChoice(token)) return undefined;
  const exact = choices.find((choice) => matches(tokens, at, choice, (a, b) => a === b));
  if (exact) return hit(exact, tokens, at, 1);
  const near = choices.find((choice) => matches(tokens, at, choice, isNear));
  if (near) return hit(near, tokens, at, 0.8);
  if (token.kind !== 'word') return undefined;
  const joined = choices.find(({ words }) => joinedLength(tokens, at, words.join('')) > 0);
  if (joined)
    return {
      value: joined.value,
      from: at,
      to: at + joinedLength(tokens, at, joined.words.join('')),
      likeness: 0.8,
    };
  return (
    only(
      choices,
      ({ lower }) => isShortFor(token.lower, lower) || isCompoundOf(token.lower, lower),
      at,
      0.6,
    ) ??
    partOfHyphened(token, choices, at) ??
    only(choices, ({ hints }) => hints.has(plainStem(token.lower)), at, 0.7) ??
    only(choices, ({ lower }) => isSameThing(token.lower, lower), at, 0.5) ??
    only(choices, ({ lower }) => isNearTo(token.lower, lower), at, 0.4)
  );
}

function only(
  choices: readonly Choice[],
  fits: (choice: Choice) => boolean,
  at: number,
  likeness: number,
): ChoiceHit | undefined {
  const [first, ...others] = choices.filter(fits);
  return first && others.length === 0 ? { value: first.value, from: at, to: at + 1, likeness } : undefined;
}

function isNear(written: string, wanted: string): boolean {
  return (
    isAlias(written, wanted) ||
    (written.length > 2 && !STOP_WORDS.has(written) && plainStem(written) === plainStem(wanted)) ||
    (isTypoOf(written, wanted) && nounSenses(written).length === 0)
  );
}

/** `spiral-bound`, `low-priority`: one part says the choice. */
function partOfHyphened({ lower }: Token, choices: readonly Choice[], at: number): ChoiceHit | undefined {
  const parts = lower.split(/[-–]/);
  return parts.length < 2
    ? undefined
    : only(
        choices,
        (choice) => parts.some((part) => part === choice.lower || isNear(part, choice.lower)),
        at,
        0.75,
      );
}

/** How many tokens say a choice with other gaps: `check-up`, `check up` and `checkup`, `oilchange` and `oil_change`. */
function joinedLength(tokens: readonly Token[], at: number, wanted: string): number {
  let written = '';
  for (let end = at; end < Math.min(at + 3, tokens.length); end++) {
    if (tokens[end]?.kind !== 'word') return 0;
    written += (tokens[end]?.lower ?? '').replace(/[-_'’]/g, '');
    if (written.length >= wanted.length) return isSameOrPlural(written, wanted) ? end + 1 - at : 0;
  }
  return 0;
}

function isSameOrPlural(written: string, wanted: string): boolean {
  return written === wanted || written === `${wanted}s` || (wanted.length > 7 && isTypoOf(written, wanted));
}

/** `vacc` for `vaccination`; a word with a meaning of its own is short for nothing. */
function isShortFor(written: string, choice: string): boolean {
  return (
    written.length >= 4 &&
    choice.length - written.length >= 3 &&
    choice.startsWith(written) &&
    !STOP_WORDS.has(written) &&
    !isKnownWord(stem(written))
  );
}

/** How near in meaning a word is to a choice that it may stand for. */
const MIN_NEAR = 0.8;
/** A noun is a kind of many things; what it is a kind of is found by its senses. */
const MIN_NEAR_OF_NOUN = 0.88;

/** `broken` for `damaged`. */
function isNearTo(written: string, choice: string): boolean {
  const min = nounSenses(written).length === 0 ? MIN_NEAR : MIN_NEAR_OF_NOUN;
  return written.length > 3 && !STOP_WORDS.has(written) && relatedness(written, choice) >= min;
}

/** `creditcard` for `credit`. */
function isCompoundOf(written: string, choice: string): boolean {
  return choice.length >= 5 && written.length - choice.length >= 4 && written.startsWith(choice);
}

/** Of a rare sense of a word hardly any sentence speaks. */
const MAX_SENSES = 2;
/** Levels of WordNet from a word up to the choice. */
const answers = new Map<string, boolean>();

/** `rucksack` for `backpack`, `newspapers` for `paper`: WordNet has them as one, or the first as a kind of the other. */
export function isSameThing(written: string, choice: string): boolean {
  if (written.length < 3 || STOP_WORDS.has(written) || isKnownWord(stem(written)) || !/^[a-z]+$/.test(choice))
    return false;
  return remembered(answers, `${written}|${choice}`, () => {
    const wanted = nounSenses(choice).slice(0, MAX_SENSES + 2);
    const senses = nounSenses(singular(written)).slice(0, MAX_SENSES);
    return senses.some((sense, rank) =>
      [...withKinds(sense)].slice(0, rank === 0 ? 4 : 1).some((one) => wanted.includes(one)),
    );
  });
}

function hit({ value, words }: Choice, tokens: readonly Token[], at: number, likeness: number): ChoiceHit {
  const isWhole = wordsOf(tokens[at]?.text ?? '').length === words.length && words.length > 1;
  return { value, from: at, to: isWhole ? at + 1 : at + words.length, likeness };
}

function matches(
  tokens: readonly Token[],
  at: number,
  { words, lower }: Choice,
  same: (written: string, wanted: string) => boolean,
): boolean {
  const first = tokens[at];
  if (!first) return false;
  const shown = first.kind === 'quoted' ? String(first.value).toLowerCase() : first.lower;
  // `in progress`, `in-progress` and `in_progress` are one choice.
  if (shown === lower || (/[_\s-]/.test(shown) && wordsOf(shown).join(' ') === words.join(' '))) return true;
  if (first.kind === 'quoted') return false;
  return words.every((word, offset) => {
    const token = tokens[at + offset];
    return token !== undefined && /^(?:word|symbol|number)$/.test(token.kind) && same(token.lower, word);
  });
}
