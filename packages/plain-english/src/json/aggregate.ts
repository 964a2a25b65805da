import { namedFields, type Asked } from './asked';
import {
  isBeside,
  isSamePath,
  itemDepth,
  numberIn,
  pathOfAll,
  pathText,
  type Field,
  type Place,
} from './fields';
import type { Mention } from './mentions';
import { impliedField, nameOf } from './implied';
import type { Read } from './read';
import { isSuperlative, ordinalOf } from './question';
import { fieldOf, select, type Target } from './resolve';
import { Unclear } from './unclear';

/** What is made of the values of a list. */
type Aggregate =
  | { readonly kind: 'sum' | 'average'; readonly from: Read; readonly values: readonly number[] }
  | { readonly kind: 'read'; readonly from: Read };

interface Wanted {
  readonly kind: 'sum' | 'average' | 'max' | 'min';
  readonly at: number;
}

const SUM = /^(?:sum|total|totals|totalled|altogether|together|combined|overall)$/;
const AVERAGE = /^(?:average|mean|avg|averaged)$/;
const MAX = /^(?:max|maximum|most)$/;
const MIN = /^(?:min|minimum|least)$/;
const LOW = /^(?:low|small|little|few|cheap|short|young|light|earl|cold|slow|narrow|shallow|near|quick)/;

/**
 * The sum, the average or the extreme of the values that are asked about.
 * @returns undefined where none is asked for, or where they are no values of a list
 * @throws Unclear
 */
export function aggregateAsked(asked: Asked): Aggregate | undefined {
  const wanted = findWanted(asked);
  if (!wanted) return undefined;
  const measured = measuredBy(wanted, asked);
  if (!measured) return undefined;
  const { field, places } = measured;
  if (!field.pattern.includes('*')) return undefined;
  if (wanted.kind === 'max' || wanted.kind === 'min') return extreme(wanted, measured, asked);
  const values = places.map(({ value }) => numberOf(value, field));
  if (values.length === 0) throw new Unclear('The list is empty.');
  return { kind: wanted.kind, from: { source: field.source, path: pathOfAll(field, places) }, values };
}

function numberOf(value: unknown, { pattern }: Field): number {
  const number = numberIn(value);
  if (number === undefined)
    throw new Unclear(`Not every value of ${pattern.at(-1) ?? 'the list'} is a number.`);
  return number;
}

function findWanted({ words, mentions }: Asked): Wanted | undefined {
  for (const [at, { text }] of words.entries()) {
    const isNamed = mentions.some(
      ({ from, to, complete }) => complete && at >= from && at < to && !/est$/.test(text),
    );
    if (isNamed) continue;
    const next = words[at + 1]?.text ?? '';
    if (
      SUM.test(text) ||
      (text === 'in' && next === 'all') ||
      (/^(?:add|adds|adding)$/.test(text) &&
        words.slice(at + 1, at + 4).some((word) => word.text === 'up')) ||
      (text === 'add' && /^(?:all|every|the)$/.test(next))
    )
      return { kind: 'sum', at };
    if (AVERAGE.test(text)) return { kind: 'average', at };
    if (MIN.test(text)) return { kind: 'min', at };
    if (MAX.test(text) || isSuperlative(text)) return { kind: LOW.test(text) ? 'min' : 'max', at };
  }
  return undefined;
}

/** The numbers that are compared or added: named after the word that says what to do with them, or the only ones. */
function measuredBy({ at }: Wanted, asked: Asked): Target | undefined {
  const named = namedFields(asked).filter(({ fields }) => fields.some(isMeasure));
  const after = named.find(({ from }) => from >= at && from <= at + 3);
  const mention = after ?? named.findLast(({ from }) => from < at) ?? named[0];
  // What is in several documents is added as it is named.
  if (mention && new Set(mention.fields.map(({ source }) => source)).size > 1) return undefined;
  // `the longest title` is about letters, and not about another number.
  const text = namedFields(asked).find(({ from }) => from === at + 1);
  if (text && !text.fields.some(isMeasure) && /^(?:long|short)/.test(asked.words[at]?.text ?? ''))
    throw new Unclear('The lengths of texts are nothing that is compared.');
  const field = mention ? fieldOf(narrowed(mention), asked) : (impliedField(asked) ?? onlyNumbers(asked));
  if (!field) return undefined;
  return select(field, asked.selectors, asked);
}

function narrowed(mention: Mention): Mention {
  return { ...mention, fields: mention.fields.filter(isMeasure) };
}

/** Numbers, dates, or a list of such. */
function isMeasure({ places }: Field): boolean {
  return places.some(({ value }) => isComparable(Array.isArray(value) ? value[0] : value));
}

function isComparable(value: unknown): boolean {
  return numberIn(value) !== undefined || (typeof value === 'string' && /^\d{4}-\d\d/.test(value));
}

function onlyNumbers({ fields }: Asked): Field | undefined {
  const numeric = fields.filter(
    ({ pattern, places, words }) =>
      pattern.includes('*') &&
      words.at(-1) !== 'id' &&
      words.at(-1) !== 'no' &&
      places.every(({ value }) => typeof value === 'number'),
  );
  return numeric.length === 1 ? numeric[0] : undefined;
}

function extreme({ kind, at }: Wanted, { field, places }: Target, asked: Asked): Aggregate {
  const isText = places.every(({ value }) => numberIn(value) === undefined);
  const sorted = [...places].sort((a, b) =>
    isText
      ? String(a.value).localeCompare(String(b.value))
      : numberOf(a.value, field) - numberOf(b.value, field),
  );
  // The oldest has the lowest year, and the highest age.
  const isOldest = /^old/.test(asked.words[at]?.text ?? '') && !field.words.includes('age');
  const nth = ordinalOf(asked.words[at - 1]) ?? 0;
  const best = kind === 'max' && !isOldest ? sorted.at(-1 - nth) : sorted[nth];
  if (!best) throw new Unclear('The list is empty.');
  const { source } = field;
  const other = askedOf(field, asked);
  if (!other) return { kind: 'read', from: { source, path: pathText(best.path) } };
  if (places.filter(({ value }) => value === best.value).length > 1)
    throw new Unclear('Several items of the list are alike in what is compared.');
  const item = best.path.slice(0, itemDepth(field));
  const place: Place | undefined = other.places.find(({ path }) => isSamePath(path, item));
  if (!place) throw new Unclear('The item that is asked about lacks what is asked for.');
  return { kind: 'read', from: { source, path: pathText(place.path) } };
}

/** What is asked of the item with the extreme value; undefined: the value. */
function askedOf(measured: Field, asked: Asked): Field | undefined {
  const siblings = asked.fields.filter(
    (field) => field !== measured && field.pattern.length > itemDepth(measured) && isBeside(field, measured),
  );
  const other = namedFields(asked)
    .flatMap(({ fields }) => fields)
    .find((field) => siblings.includes(field));
  if (other) return other;
  const { words } = asked;
  const asksWhich = words.some(
    ({ text }, at) =>
      text === 'who' ||
      text === 'whose' ||
      (text === 'which' && words[at + 1]?.text !== 'is') ||
      text === 'name',
  );
  return asksWhich ? nameOf(siblings) : undefined;
}
