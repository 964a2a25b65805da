import { namedFields, type Asked } from '../json/asked';
import { numberIn, pathText, type Field } from '../json/fields';
import type { Mention } from '../json/mentions';
import { impliedField } from '../json/implied';
import type { Read } from '../json/read';
import { fieldOf, nearest, select } from '../json/resolve';
import { concerns, type Selector } from '../json/selectors';
import { shown } from '../json/unclear';
import { attempt } from '../plan/problem';
import type { Token } from '../text/token';

/** A value of a document in the place of the words that name it. */
export interface Operand {
  readonly from: number;
  readonly to: number;
  readonly read: Read;
  /** Undefined where it is no number. */
  readonly value: number | undefined;
  /** Why it is not clear which value is meant. */
  readonly problem?: string;
}

/** The names of a question with the one value that each stands for. */
export function operandsOf(asked: Asked): readonly Operand[] {
  const named = namedFields(asked);
  const implied = named.length === 0 ? impliedField(asked) : undefined;
  if (implied) return byItems(implied, asked);
  return named.flatMap((mention) => {
    const selectors = selectorsOf(mention, named, asked);
    const [field, ...others] = candidates(mention, { ...asked, selectors });
    if (!field) return [];
    if (others.length > 0) return [field, ...others].map((one) => operandOf(one, mention, selectors, asked));
    if (named.length === 1) {
      const items = byItems(field, asked);
      if (items.length > 1) return items;
    }
    return [operandOf(field, mention, selectors, asked)];
  });
}

/** One value for each item that is named: `a flat white and an espresso`. */
function byItems(field: Field, asked: Asked): readonly Operand[] {
  return asked.selectors
    .filter((selector) => concerns(selector, field))
    .map((selector) => operandOf(field, selector, [selector], asked));
}

/** The field that is meant; of several documents that of the nearest one, or of each. */
function candidates(mention: Mention, asked: Asked): readonly Field[] {
  const sources = new Set(mention.fields.map(({ source }) => source));
  if (sources.size === 1) return [fieldOf(mention, asked)];
  const start = asked.words[mention.to - 1]?.token ?? 0;
  const next = asked.mentions.find(({ from }) => from >= mention.to);
  const end = next ? asked.words[next.from]?.token : undefined;
  const isDocument = ({ kind }: Token): boolean => kind === 'url' || kind === 'json';
  const own = asked.tokens.findIndex(
    (token, at) => at > start && (end === undefined || at < end) && isDocument(token),
  );
  const source = own === -1 ? undefined : asked.tokens.slice(0, own).filter(isDocument).length;
  const wanted = source === undefined ? [...sources] : [source];
  return wanted.flatMap((number) => {
    const fields = mention.fields.filter((field) => field.source === number);
    return fields.length === 0 ? [] : [fieldOf({ ...mention, fields }, asked)];
  });
}

function operandOf(
  field: Field,
  { from, to }: { readonly from: number; readonly to: number },
  selectors: readonly Selector[],
  asked: Asked,
): Operand {
  const { value: { places = [] } = {}, error } = attempt(() => select(field, selectors, asked));
  const [place, ...others] = places;
  const isSame = others.every(({ value }) => value === place?.value);
  const problem =
    error?.message ??
    (isSame && place
      ? undefined
      : `${shown(field.pattern.at(-1) ?? '')} is in the document ${places.length} times.`);
  return {
    from,
    to,
    read: { source: field.source, path: pathText(place?.path ?? []) },
    value: numberIn(place?.value),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The selectors that stand nearest to a name; all of them where the other names have none either. */
function selectorsOf(
  own: Mention,
  named: readonly Mention[],
  { selectors, words }: Asked,
): readonly Selector[] {
  if (named.length === 1) return selectors;
  const near = selectors.filter((selector) => nearest(selector, named, words) === own);
  const isShared = named.some(
    (mention) => !selectors.some((selector) => nearest(selector, named, words) === mention),
  );
  return isShared && near.length === 0 ? selectors : near;
}
