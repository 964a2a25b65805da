import { CONVERTING, isKnown, KIND, perOf, sentenceEnd, wantedOf } from './asked-unit';
import type { Fact } from './fact';
import type { Item } from './items';
import { isContent, textOf, wordAt } from './nouns';
import { endOf, startOf } from './question-words';
import type { Unit } from './unit';
import { EACH, isMeasure, measureOf, UNKNOWN } from './units';

/** What a story asks for. */
export interface Question {
  readonly text: string;
  readonly unit: Unit;
  /** One unit of each kind that is asked for where the unit itself is open, as in `how long`. */
  readonly kinds?: readonly string[];
  /** True where things are counted, of which there is no part. */
  readonly isCount: boolean;
  /** The word for the things that are asked for, where it is no measure. */
  readonly thing?: string | undefined;
  /** Numbers of its first item and of the one after it. */
  readonly from: number;
  readonly to: number;
}

/** A story with what it asks for. */
export interface Story {
  readonly facts: readonly Fact[];
  readonly question: Question;
  /** All of it with `#` for each number, and the same without the question. */
  readonly text: string;
  readonly statement: string;
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  long: ['hour', 'day', 'month', 'metre', 'foot'],
  time: ['hour', 'day', 'month'],
  far: ['metre', 'mile'],
  tall: ['metre', 'foot'],
  old: ['year'],
  heavy: ['gram', 'pound'],
  weigh: ['gram', 'pound'],
};

/** What is asked of one, whatever it is called. */
const ONE =
  /\b(?:per|each|every|one|single|share|unit|apiece|every(?:one|body))\b|\/| an? \w+ (?:costs?|weigh|hold|contain)/;

/** The question of a story: from its last question word, or what stands alone after its last number. */
export function questionOf(items: readonly Item[], facts: readonly Fact[]): Question | undefined {
  const from = startOf(items);
  if (from === undefined) return undefined;
  const to = endOf(items, from);
  const text = textOf(items, from, sentenceEnd(items, to)).replaceAll(" 's", "'s");
  const { of, per, next } = wantedOf(items, from, to, text, facts);
  const kind = KIND.exec(text);
  const kinds = isMeasure(of[0]) ? undefined : KINDS[kind?.[1] ?? kind?.[2] ?? ''];
  if (CONVERTING.test(wordAt(items, from)) && !isMeasure(of[0])) return undefined;
  // `how many days does one sack last`
  const isLasting = /\blasts?\b/.test(text);
  const perUnit = isLasting
    ? []
    : per.length > 0
      ? per
      : (perOf(items, next, to) ?? perOf(items, from, Math.max(from, next - 2)));
  if (/\barea\b/.test(text) && of[0] === UNKNOWN)
    return { text, isCount: false, unit: { of: ['metre', 'metre'], per: [] }, from, to };
  if (/\bspeed\b|\bhow fast\b/.test(text) && of[0] === UNKNOWN)
    return { text, isCount: false, unit: { of, per: [UNKNOWN] }, kinds: KINDS['far'] ?? [], from, to };
  const isNamed = (perUnit ?? []).every((name) => isKnown(name, facts));
  const isCount =
    /\b(?:how many|number of|fewest|least number|most)\b/.test(text) &&
    !isMeasure(of[0]) &&
    (perUnit ?? []).length === 0;
  return {
    text,
    isCount,
    unit: { of, per: isNamed ? (perUnit ?? []) : ONE.test(text) ? [EACH] : [] },
    ...(kinds ? { kinds } : {}),
    thing: thingOf(text),
    from,
    to,
  };
}

const THING = /\bhow many (?:(?:more|other|extra|additional|further|whole|full|complete|different) )*(\w+)/;

function thingOf(text: string): string | undefined {
  const word = THING.exec(text)?.[1];
  const isThing = word !== undefined && isContent(word) && !/^(?:per ?cent|cubic|square)/.test(word);
  return isThing && measureOf(word) === undefined ? word : undefined;
}
