import { lists, namedFields, phraseOf, type Asked } from './asked';
import {
  fieldAt,
  isBeside,
  isInOneOf,
  isWithin,
  itemDepth,
  pathOfAll,
  pathText,
  type Field,
  type Place,
} from './fields';
import { focusOf, namedTogether } from './focus';
import { impliedField, nameOf } from './implied';
import { isObject } from './is-object';
import { plural } from '../text/base-forms';
import type { Mention } from './mentions';
import { fieldOf, select, type Target } from './resolve';
import { isExplained, isNoun, refuseUnexplained } from './unexplained';
import { shown, Unclear } from './unclear';

/** Where a value is read. */
export interface Read {
  readonly source: number;
  readonly path: string;
}

/** @throws Unclear where nothing, or more than one thing, is meant */
export function readAsked(asked: Asked): readonly Read[] {
  const named = namedFields(asked);
  if (named.length === 0) return [readUnnamed(asked)];
  const asking = namedTogether(named, asked) ?? [focusOf(named, asked)];
  for (const mention of asking) refuseUnexplained(mention, asked);
  return asking.map((mention) => readMention(mention, asked));
}

function readMention(mention: Mention, asked: Asked): Read {
  const field = fieldOf(mention, asked);
  const target = select(field, asked.selectors, asked);
  return readTarget(target, asked, isPlural(mention, asked));
}

/** The place or places that are left, where they are as many as the question says. */
function readTarget(target: Target, asked: Asked, plural: boolean): Read {
  const { field, places } = atName(target, asked);
  const [first] = places;
  if (!first) throw new Unclear('The document has no item like the one that is asked about.');
  const { source } = field;
  if (plural && (places.length > 1 || field.pattern.includes('*')) && !Array.isArray(first.value))
    return { source, path: pathOfAll(field, places) };
  const different = new Set(places.map(({ value }) => JSON.stringify(value)));
  if (different.size > 1 || (places.length > 1 && !target.selected))
    throw new Unclear(
      `${shown(field.pattern.filter((part) => part !== '*').join('.') || 'item')} is in the document ${places.length} times; which one is not said.`,
    );
  return { source, path: pathText(first.path) };
}

const ASKS_NAME = /\b(?:who|whose|which|names?|called|named)\b/;

/** Of an object: its name, or its number, where one is asked for. An object itself has to be named in full. */
function atName(target: Target, asked: Asked): Target {
  if (!target.places.some(({ value }) => isContainer(value))) return target;
  const phrase = phraseOf(asked);
  const inner = asked.fields.filter(
    (field) => isWithin(field, target.field) && field.pattern.length === target.field.pattern.length + 1,
  );
  const numbers = inner.filter(({ places }) => places.every(({ value }) => typeof value === 'number'));
  const number = /\b(?:how much|cost|costs)\b/.test(phrase) && numbers.length === 1 ? numbers[0] : undefined;
  const field = number ?? (ASKS_NAME.test(phrase) ? nameOf(inner) : undefined);
  if (!field) {
    if (/\b(?:who|whose)\b/.test(phrase)) throw new Unclear('It is not clear which part of it is asked for.');
    if (asked.words.some((word, at) => isNoun(word) && !isExplained(at, asked))) throw lacks(asked);
  }
  const isInside = isInOneOf(target.places.map(({ path }) => path));
  const places = field?.places.filter(({ path }) => isInside(path));
  return field && places ? { field, places, selected: target.selected } : target;
}

/** True where the words ask for all values of a field. */
function isPlural({ from, to, fields }: Mention, { words }: Asked): boolean {
  const last = words[to - 1]?.text ?? '';
  const before = words.slice(Math.max(0, from - 3), from).map(({ text }) => text);
  if (before.some((word) => ['all', 'every', 'each'].includes(word))) return true;
  return fields.every(
    ({ words: key }) => key.every((own) => own !== last) && key.some((own) => last.endsWith(plural(own))),
  );
}

/** No name is said: an item of the only list, or what the kind of the question names. */
function readUnnamed(asked: Asked): Read {
  const implied = impliedField(asked);
  if (implied && (asked.selectors.length > 0 || !implied.pattern.includes('*')))
    return readTarget(select(implied, asked.selectors, asked), asked, false);
  const values = asked.selectors.flatMap(({ by }) => (by.kind === 'value' ? [by.field] : []));
  const [own] = values;
  if (own && /\b(?:who|which|name)\b/.test(phraseOf(asked))) {
    const name = nameOf(
      asked.fields.filter(
        (field) =>
          isBeside(field, own) && !values.includes(field) && field.pattern.length === itemDepth(own) + 1,
      ),
    );
    if (name) return readTarget(select(name, asked.selectors, asked), asked, false);
  }
  const positions = asked.selectors.filter(({ by }) => by.kind === 'position');
  const [list, ...others] = lists(asked.fields).filter(({ pattern }) => !pattern.includes('*'));
  if (positions.length === 0 || !list || others.length > 0) throw lacks(asked);
  return readTarget(select(list, positions, asked), asked, false);
}

/** The items of a list that the selectors leave. */
export function itemsOf(list: Field, asked: Asked): readonly Place[] {
  const items = fieldAt(asked.fields, [...list.pattern, '*'], list.source);
  return items
    ? select(
        items,
        asked.selectors.filter(({ by }) => by.kind === 'value'),
        asked,
      ).places
    : [];
}

function isContainer(value: unknown): boolean {
  return (
    isObject(value) ||
    (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null))
  );
}

/** The first thing that is asked about and that the document does not have. */
function lacks(asked: Asked): Unclear {
  const other = asked.words.find((word, at) => isNoun(word) && !isExplained(at, asked));
  return new Unclear(
    other ? `The document has no ${shown(other.text)}.` : 'What to read from the document is not said.',
  );
}
