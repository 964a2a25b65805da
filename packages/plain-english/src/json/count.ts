import { lists, namedFields, type Asked } from './asked';
import { isInOneOf, type Field } from './fields';
import { isObject } from './is-object';
import type { Mention } from './mentions';
import { itemsOf } from './read';
import { fieldOf, select } from './resolve';
import { refuseQualifier } from './unexplained';
import { Unclear } from './unclear';

/** Where a question asks for a number of things, the number of the word after that. */
export function countingEnd({ words, mentions }: Asked): number | undefined {
  for (const [at, { text }] of words.entries()) {
    const next = words[at + 1]?.text;
    const isNamed = mentions.some(({ from, to }) => at >= from && at < to);
    if (isNamed) continue;
    const isOfNoun = text === 'number' && next === 'of' && words[at - 1]?.names !== true;
    if ((text === 'how' && next === 'many') || isOfNoun) return at + 2;
    if (text === 'count' || text === 'counting') return at + 1;
  }
  return undefined;
}

/**
 * How many things of a list are asked about.
 * @returns undefined where the number is a value of the document: `how many goals` of a field `goals`
 * @throws Unclear where the list is not clear
 */
export function countAsked(asked: Asked, start: number): number | undefined {
  const list = countedList(asked, start);
  if (!list) return undefined;
  const [place, ...others] = list.places;
  if (isObject(place?.value) && others.length === 0) return Object.keys(place.value).length;
  let items = itemsOf(list, asked);
  if (others.length > 0 && items.length > 1) {
    const owners = select(list, asked.selectors, asked);
    if (owners.places.length > 1 && !owners.selected)
      throw new Unclear('It is not clear which of several lists is to be counted.');
    const isOwned = isInOneOf(owners.places.map(({ path }) => path));
    items = items.filter(({ path }) => isOwned(path));
  }
  return items.length;
}

const THINGS = new Set(
  'item entry element thing row record object value number one line'
    .split(' ')
    .flatMap((word) => [word, `${word}s`])
    .concat('entries', 'there'),
);

function countedList(asked: Asked, start: number): Field | undefined {
  const { mentions, fields, words } = asked;
  const all = lists(fields);
  const after = mentions.filter(({ from }) => from >= start && from <= start + 3);
  const named = [...after, ...mentions.filter((mention) => !after.includes(mention))];
  for (const mention of named) {
    const [list, ...others] = mention.fields.filter((field) => all.includes(field));
    if (list && mention.from > start) refuseQualifier(mention, asked);
    if (list) return others.length === 0 ? list : fieldOf({ ...mention, fields: [list, ...others] }, asked);
    if (mention === after[0] && isNumeric(mention)) {
      refuseQualifier(mention, asked);
      return undefined;
    }
  }
  if (namedFields(asked).some(isNumeric) && after.length > 0) return undefined;
  const [object] = named.flatMap((mention) =>
    mention.fields.filter(({ places }) => places.length === 1 && isObject(places[0]?.value)),
  );
  if (object) return object;
  const outer = all.filter(({ pattern }) => !pattern.includes('*'));
  const [only] = outer;
  const isGeneral = words.slice(start, start + 2).some(({ text }) => THINGS.has(text));
  // `how many cars do they have` asks about each item, and not for their number.
  const isOwned = words.slice(start).some(({ text }) => /^(?:have|has|had|own|owns)$/.test(text));
  if (only && outer.length === 1 && ((only.pattern.length === 0 && !isOwned) || isGeneral)) return only;
  throw new Unclear('The document has no list of what is to be counted.');
}

function isNumeric({ fields }: Mention): boolean {
  return fields.some(({ places }) => places.every(({ value }) => typeof value === 'number'));
}
