import type { Token } from '../text/token';
import { fieldsOf, isWithin, type Field } from './fields';
import { findFilters } from './filters';
import { findMentions, type Mention } from './mentions';
import { ordinalOf, wordsOfQuestion, type Word } from './question';
import { findPositions, findValues, type Selector } from './selectors';

/** A question, and what its words are in the documents that it is about. */
export interface Asked {
  readonly tokens: readonly Token[];
  readonly words: readonly Word[];
  readonly fields: readonly Field[];
  /** The names that are no part of a selector. */
  readonly mentions: readonly Mention[];
  readonly selectors: readonly Selector[];
}

/** Looks up every word of a question in its documents. */
export function lookUp(tokens: readonly Token[], documents: readonly unknown[]): Asked {
  const fields = documents.flatMap((document, source) => fieldsOf(document, source));
  const words = wordsOfQuestion(tokens);
  const named = findMentions(words, fields).filter((mention) => !isOrdinal(mention, words));
  const values = findValues(words, fields).map((value) => withFieldName(value, named));
  const mentions = named.filter(
    ({ from, to }) => !values.some((value) => value.from < to && from < value.to),
  );
  const isUsed = (at: number): boolean =>
    [...values, ...mentions].some(({ from, to }) => at >= from && at < to);
  const positions = findPositions(words, tokens, mentions, isUsed);
  const filters = findFilters(words, tokens, mentions, fields);
  const selectors = [...values, ...positions, ...filters].sort((a, b) => a.from - b.from);
  const left = mentions.filter(
    (mention) => !filters.some(({ from, to }) => mention.from >= from && mention.from < to),
  );
  return { tokens, words, fields, mentions: left, selectors };
}

/** The `seat` of `who sits in seat 1A` says what the value is. */
function withFieldName(selector: Selector, mentions: readonly Mention[]): Selector {
  const { from, by } = selector;
  const name = mentions.find(
    ({ to, fields }) => to === from && by.kind === 'value' && fields.includes(by.field),
  );
  return name ? { ...selector, from: name.from } : selector;
}

/** The `second` of `the second track` is not the key `seconds`. */
function isOrdinal({ from, to, fields }: Mention, words: readonly Word[]): boolean {
  const word = words[from];
  if (!word || to - from > 1 || ordinalOf(word) === undefined) return false;
  return !fields.some((field) => field.words.length === 1 && field.words[0] === word.text);
}

/** True for a mention that only says whose or which the other is: the `customer` of `the customer's city`. */
export function isOwner(mention: Mention, mentions: readonly Mention[]): boolean {
  return mentions.some(
    (other) =>
      other !== mention &&
      mention.fields.some((outer) =>
        other.fields.some((field) => field.pattern.length > outer.pattern.length && isWithin(field, outer)),
      ),
  );
}

/** A name that is only like one of the document, as by a synonym, counts where no other is there. */
const SURE = 0.95;
const UNSURE = 0.8;

/** The names that are asked for: no owners, and none said in part where another is said in full. */
export function namedFields({ mentions }: Asked): readonly Mention[] {
  const inner = mentions.filter((mention) => !isOwner(mention, mentions));
  const complete = inner.filter((mention) => mention.complete);
  const likely = complete.filter(({ quality }) => quality >= SURE);
  const named =
    likely.length > 0
      ? complete.filter(({ quality }) => quality >= UNSURE)
      : complete.length > 0
        ? complete
        : inner;
  // `how warm is it: the temperature`
  return named.filter(
    (mention) =>
      !named.some(
        (other) =>
          other.quality - mention.quality > 0.1 &&
          mention.fields.every((field) => other.fields.includes(field)),
      ),
  );
}

export function lists(fields: readonly Field[]): readonly Field[] {
  return fields.filter(
    ({ places }) => places.length > 0 && places.every(({ value }) => Array.isArray(value)),
  );
}

/** The words of a question, or those of a part of it, as one text. */
export function phraseOf(
  { words }: Pick<Asked, 'words'>,
  { from, to }: { from: number; to?: number } = { from: 0 },
): string {
  return words
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');
}
