import { spend } from '../allowance';
import { isObject } from '../text/json-text';
import { stem, wordsOf } from '../text/stem';
import type { Part } from './question';

/** A value in a document, and where it is. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Why a document does not say what is asked; the message may be shown. */
export class NotInDocument extends Error {}

/** Deeper than this no name is looked for. */
const MAX_DEPTH = 8;
const VALUE_COST = 1;

/**
 * The places that a part of a question names below others.
 * @throws NotInDocument if nothing has such a name, or if it is not clear which is meant
 */
export function findPlaces(from: readonly Place[], { words, select, written }: Part): readonly Place[] {
  const literal = select === undefined ? [] : nearest(from, written);
  if (literal.length > 0) return literal;
  const named = words.length === 0 ? listsOf(from) : findNamed(from, words);
  if (select === undefined) return named;
  if (select === 'all') return named.flatMap((place) => itemsOf(place) ?? [place]);
  // Of one list the item, of many values with one name the one at that place.
  const [only] = named;
  const items = named.length === 1 && only ? (itemsOf(only) ?? [only]) : named;
  const item = items.at(select);
  // From the end, so that the path says the same of a document that has grown.
  if (item && select < 0 && only && items !== named)
    return [{ path: [...only.path, select], value: item.value }];
  if (!item) throw new NotInDocument('The document has no item like the one that is asked about.');
  return [item];
}

export function itemsOf({ path, value }: Place): readonly Place[] | undefined {
  return Array.isArray(value)
    ? value.map((item: unknown, at) => ({ path: [...path, at], value: item }))
    : undefined;
}

/** Without a name the only list is meant. */
function listsOf(from: readonly Place[]): readonly Place[] {
  const lists = from.filter(({ value }) => Array.isArray(value));
  if (lists.length > 0) return lists;
  const inner = from.flatMap(fieldsOf).filter(({ value }) => Array.isArray(value));
  if (inner.length === 1) return inner;
  throw new NotInDocument('Which list of the document is meant is not clear.');
}

function findNamed(from: readonly Place[], words: readonly string[]): readonly Place[] {
  const whole = nearest(from, words);
  if (whole.length > 0) return whole;
  // `the order status` of `{"order": {"status": …}}`
  for (let cut = words.length - 1; cut > 0; cut--) {
    const owners = nearest(from, words.slice(0, cut));
    const places = owners.length === 0 ? [] : nearest(owners, words.slice(cut));
    if (places.length > 0) return places;
  }
  throw new NotInDocument(`The document has no "${words.join(' ').slice(0, 64)}".`);
}

/** The places with a name at the least depth that has any; names at one depth under different parents count as one. */
function nearest(from: readonly Place[], words: readonly string[]): readonly Place[] {
  const wanted = keyOf(words);
  let level = from;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const fields = level.flatMap(fieldsOf);
    spend(VALUE_COST * fields.length);
    const places = fields.filter(({ path }) => {
      const name = path.at(-1);
      return typeof name === 'string' && keyOf(wordsOf(name)) === wanted;
    });
    if (places.length > 0) {
      if (new Set(places.map(patternOf)).size > 1)
        throw new NotInDocument(
          `Which "${words.join(' ').slice(0, 64)}" of the document is meant is not clear.`,
        );
      return places;
    }
    level = fields;
  }
  return [];
}

/** Names of several words are the same whatever their endings are: `line items` and `lineItem`. */
function keyOf(words: readonly string[]): string {
  return words.map(stem).join(' ');
}

function fieldsOf({ path, value }: Place): readonly Place[] {
  const fields = isObject(value) ? Object.entries(value) : [];
  return itemsOf({ path, value }) ?? fields.map(([name, inner]) => ({ path: [...path, name], value: inner }));
}

function patternOf({ path }: Place): string {
  return JSON.stringify(path.map((step) => (typeof step === 'number' ? '*' : step)));
}

/** A JSONPath query for one place. */
export function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return /^[A-Za-z_]\w*$/.test(step) ? `${text}.${step}` : `${text}['${step.replace(/['\\]/g, '\\$&')}']`;
  }, '$');
}

/** A JSONPath query for all places of one name. */
export function pathOfAll(places: readonly Place[]): string {
  const [first] = places;
  const inner = (first?.path ?? []).map((step, at) => {
    const isSame = places.every(({ path }) => path[at] === step);
    return typeof step === 'number' && !isSame ? '[*]' : pathText([step]).slice(1);
  });
  return `$${inner.join('')}`;
}
