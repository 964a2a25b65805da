import type { Token } from '../text/token';
import { itemDepth, numberIn, type Field, type Place } from './fields';
import type { Mention } from './mentions';
import type { Word } from './question';
import type { Selector } from './selectors';

const MORE = /^(?:over|above|exceeding|beyond)$/;
const LESS = /^(?:under|below|beneath)$/;
const COMPARED =
  /^(?:more|greater|larger|higher|bigger|older|longer|less|fewer|lower|smaller|cheaper|younger|shorter|least|most)$/;
const LESS_THAN = /^(?:less|fewer|lower|smaller|cheaper|younger|shorter)$/;
/** Farthest from a name that a comparison with it stands, words. */
const MAX_DISTANCE = 4;

/** Conditions on the items of lists: `todos that are done`, `orders over 100`. */
export function findFilters(
  words: readonly Word[],
  tokens: readonly Token[],
  mentions: readonly Mention[],
  fields: readonly Field[],
): readonly Selector[] {
  const compared = findComparison(words, tokens, mentions, fields);
  const flags = mentions.flatMap((mention) => {
    const field = mention.fields.find(isFlag);
    if (!field || !isCounted(words)) return [];
    const before = words.slice(Math.max(0, mention.from - 3), mention.from);
    const isDenied =
      before.some(({ text }) => /^(?:not|without|no|never|isn|aren|t|yet)$/.test(text)) ||
      /^un/.test(words[mention.from]?.text ?? '');
    return [selectorOf(mention, field, ({ value }) => value === !isDenied)];
  });
  return [...flags, ...(compared ? [compared] : [])];
}

function isCounted(words: readonly Word[]): boolean {
  return words.some(
    ({ text }) =>
      text === 'many' || text === 'count' || text === 'number' || text === 'which' || text === 'who',
  );
}

function isFlag({ pattern, places }: Field): boolean {
  return pattern.includes('*') && places.every(({ value }) => typeof value === 'boolean');
}

function selectorOf(
  { from, to }: { from: number; to: number },
  field: Field,
  holds: (place: Place) => boolean,
): Selector {
  const items = field.places.filter(holds).map(({ path }) => path.slice(0, itemDepth(field)));
  return { from, to, by: { kind: 'value', field, items } };
}

/** A number of a list that is compared with one of the sentence. */
function findComparison(
  words: readonly Word[],
  tokens: readonly Token[],
  mentions: readonly Mention[],
  fields: readonly Field[],
): Selector | undefined {
  for (const [at, { text, token }] of words.entries()) {
    const isThan = COMPARED.test(text) && words[at + 1]?.text === 'than';
    const isAt = text === 'at' && /^(?:least|most)$/.test(words[at + 1]?.text ?? '');
    if (!MORE.test(text) && !LESS.test(text) && !isThan && !isAt) continue;
    const limit = tokens.slice(token + 1, token + 4).find(({ kind }) => kind === 'number');
    const end = words.findIndex((word) => tokens[word.token] === limit);
    if (typeof limit?.value !== 'number' || end === -1) continue;
    const { value } = limit;
    const near = comparedMention(at, end, mentions);
    const field = near?.fields.find(isNumeric) ?? onlyMoney(fields);
    if (!field) continue;
    // The name is part of the condition: `with more than 10 goals`, `that cost over 40`.
    const [from, to] = [near?.to === at ? near.from : at, near?.from === end + 1 ? near.to : end + 1];
    const isLess = LESS.test(text) || LESS_THAN.test(text) || (isAt && words[at + 1]?.text === 'most');
    const holds = (number: number): boolean =>
      (isAt && number === value) || (isLess ? number < value : number > value);
    return selectorOf({ from, to }, field, (place) => holds(numberIn(place.value) ?? Number.NaN));
  }
  return undefined;
}

function comparedMention(at: number, end: number, mentions: readonly Mention[]): Mention | undefined {
  const fitting = mentions.filter(({ fields }) => fields.some(isNumeric));
  return (
    fitting.find(({ from }) => from === end + 1) ??
    fitting.findLast(({ from, to }) => at - to <= MAX_DISTANCE && from - end <= MAX_DISTANCE)
  );
}

function isNumeric({ pattern, places }: Field): boolean {
  return pattern.includes('*') && places.every(({ value }) => numberIn(value) !== undefined);
}

/** `orders over 100`: what things cost, where that is all there is to compare. */
function onlyMoney(fields: readonly Field[]): Field | undefined {
  const money = fields
    .filter(isNumeric)
    .filter(({ words }) => words.some((word) => /^(?:price|cost|fee|amount|total)$/.test(word)));
  return money.length === 1 ? money[0] : undefined;
}
