import { phraseOf, type Asked } from './asked';
import { fieldAt, isInOneOf, isWithin, type Field, type Place } from './fields';
import type { Mention } from './mentions';
import type { Word } from './question';
import { concerns, holdsList, type Selector } from './selectors';
import { shown, Unclear } from './unclear';

/** The places that a mention means. */
export interface Target {
  readonly field: Field;
  readonly places: readonly Place[];
  /** True where the items that it is in were chosen by words. */
  readonly selected: boolean;
}

/**
 * The field that a mention means, by the owners that are named with it, the items that are, and the least depth.
 * @throws Unclear where two are meant alike
 */
export function fieldOf(mention: Mention, asked: Asked): Field {
  const ranked = mention.fields
    .map((field) => ({ field, rank: rankOf(field, mention, asked) }))
    .sort((a, b) => b.rank - a.rank);
  const [best, second] = ranked;
  if (!best) throw new Unclear('What to read from the document is not said.');
  if (second && second.rank === best.rank) {
    const paths = ranked.filter(({ rank }) => rank === best.rank).map(({ field }) => field.pattern.join('.'));
    throw new Unclear(
      `${shown(phraseOf(asked, mention))} is in the document more than once: ${paths.join(', ').slice(0, 200)}.`,
    );
  }
  return best.field;
}

const MAX_DEPTH = 100;
/** What an owner says of a name that stands farther from it than another. */
const FAR_OWNER = 0.3;

/** The name that stands nearest to some words; one after them where two are equally near. */
export function nearest(
  { from, to }: { readonly from: number; readonly to: number },
  mentions: readonly Mention[],
  words: readonly Word[],
): Mention | undefined {
  const between = (start: number, end: number): number =>
    words.slice(start, end + 1).filter(({ names, starts }) => names || starts).length;
  const distance = (mention: Mention): number =>
    mention.from >= to ? between(to, mention.from) : between(mention.to, from) + 0.5;
  return mentions.reduce<Mention | undefined>(
    (best, mention) => (best && distance(best) <= distance(mention) ? best : mention),
    undefined,
  );
}

function rankOf(field: Field, own: Mention, { mentions, selectors, words }: Asked): number {
  const owners = mentions.filter(
    (other) =>
      other !== own &&
      other.fields.some((outer) => outer.pattern.length < field.pattern.length && isWithin(field, outer)),
  );
  const items = selectors.filter((selector) => selector.by.kind === 'value' && concerns(selector, field));
  const names = field.pattern.filter((part) => part !== '*');
  const inner = mentions.filter((other) => other === own || !owners.includes(other));
  const near = owners.map((owner) => (nearest(owner, inner, words) === own ? 1 : FAR_OWNER));
  return near.reduce((sum, weight) => sum + weight, 0) + items.length * 2 + 1 - names.length / MAX_DEPTH;
}

/**
 * The places of a field that the selectors leave.
 * @throws Unclear where there is no such item
 */
export function select(field: Field, selectors: readonly Selector[], asked: Asked): Target {
  let target: Target = { field, places: field.places, selected: false };
  const byField = new Map<Field, Selector[]>();
  for (const selector of selectors) {
    if (selector.by.kind !== 'value' || !concerns(selector, field)) continue;
    byField.set(selector.by.field, [...(byField.get(selector.by.field) ?? []), selector]);
  }
  for (const same of byField.values()) {
    const items = same.flatMap(({ by }) => (by.kind === 'value' ? by.items : []));
    const isChosen = isInOneOf(items);
    const places = target.places.filter(({ path }) => isChosen(path));
    target = { ...target, places, selected: true };
  }
  const said = new Set<number>();
  for (const selector of selectors) {
    // `the last message … the last in the list, I mean`
    if (
      selector.by.kind === 'position' &&
      said.has(selector.by.index) &&
      field.pattern.filter((part) => part === '*').length < 2
    )
      continue;
    if (selector.by.kind === 'position') said.add(selector.by.index);
    if (selector.by.kind === 'position') target = atPosition(target, selector.by.index, asked);
  }
  return target;
}

function atPosition(target: Target, index: number, asked: Asked): Target {
  const star = listOf(target.field, asked);
  if (star === undefined) throw new Unclear('The document has no list whose items could be counted off.');
  const isOwn = star === target.field.pattern.length;
  const field = isOwn
    ? fieldAt(asked.fields, [...target.field.pattern, '*'], target.field.source)
    : target.field;
  const outer = fieldAt(asked.fields, target.field.pattern.slice(0, star), target.field.source)?.places;
  const lists = isOwn ? target.places : (outer ?? []);
  const lengths = new Map(
    lists.flatMap(({ path, value }) =>
      Array.isArray(value) ? [[JSON.stringify(path), value.length] as const] : [],
    ),
  );
  const inside = isOwn ? (field?.places ?? []) : target.places;
  const places = inside.filter(({ path }) => {
    const length = lengths.get(JSON.stringify(path.slice(0, star)));
    return length !== undefined && path[star] === (index < 0 ? length + index : index);
  });
  const length = Math.max(0, ...lengths.values());
  if (!field || places.length === 0) {
    throw new Unclear(length === 0 ? 'The list is empty.' : `The list has only ${length} items.`);
  }
  // A query may count from the end as the sentence does.
  const counted = places.map(({ path, value }) => ({ path: path.with(star, index), value }));
  return { field, places: counted, selected: true };
}

/** How deep the list is that a position counts in: the innermost one that is named, or that the field is in, or its own. */
function listOf(field: Field, { mentions }: Asked): number | undefined {
  const named = mentions
    .flatMap(({ fields }) => fields.filter(holdsList))
    .filter((list) => isWithin(field, list));
  const [list] = named.sort((a, b) => b.pattern.length - a.pattern.length);
  if (list) return list.pattern.length;
  const star = field.pattern.lastIndexOf('*');
  if (star === -1) return holdsList(field) ? field.pattern.length : undefined;
  return star;
}
