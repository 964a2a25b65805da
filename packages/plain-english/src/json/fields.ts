import { isObject } from './is-object';
import { keyWords } from './key-words';

/** Most values looked at in one document. */
const MAX_PLACES = 20_000;
/** Most different names looked at. */
const MAX_FIELDS = 1_000;
const MAX_DEPTH = 40;

export type Path = readonly (string | number)[];

/** One value of a document. */
export interface Place {
  readonly path: Path;
  readonly value: unknown;
}

/** All values of a document that the same names lead to, whatever their places in lists. */
export interface Field {
  /** The names, with `*` for any place of a list. */
  readonly pattern: readonly string[];
  /** The words of its own name; none for the document and for what lists hold. */
  readonly words: readonly string[];
  readonly places: readonly Place[];
  /** Number of the document that it is in. */
  readonly source: number;
}

/** The fields of a document, from the outermost. */
export function fieldsOf(document: unknown, source = 0): readonly Field[] {
  const fields = new Map<string, Field & { readonly places: Place[] }>();
  let places = 0;
  let level: { place: Place; pattern: readonly string[] }[] = [
    { place: { path: [], value: document }, pattern: [] },
  ];
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    const deeper: typeof level = [];
    for (const { place, pattern } of level) {
      const id = JSON.stringify(pattern);
      const name = pattern.at(-1);
      const known = fields.get(id);
      if (known) known.places.push(place);
      else if (fields.size < MAX_FIELDS) {
        const words = name === undefined || name === '*' ? [] : keyWords(name);
        fields.set(id, { pattern, words, places: [place], source });
      }
      for (const [step, value] of childrenOf(place.value)) {
        if (++places > MAX_PLACES) break;
        const part = typeof step === 'number' ? '*' : step;
        deeper.push({ place: { path: [...place.path, step], value }, pattern: [...pattern, part] });
      }
    }
    level = deeper;
  }
  return [...fields.values()];
}

function childrenOf(value: unknown): (readonly [step: string | number, value: unknown])[] {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [index, item] as const);
  return isObject(value) ? Object.entries(value) : [];
}

/** True where one field is inside the other, or the same. */
export function isWithin({ pattern, source }: Field, outer: Field): boolean {
  return source === outer.source && outer.pattern.every((part, at) => pattern[at] === part);
}

/** How many steps lead to the item of a list that a field is in; outside of lists, to the object that it is in. */
export function itemDepth({ pattern }: Pick<Field, 'pattern'>): number {
  return pattern.includes('*') ? pattern.lastIndexOf('*') + 1 : Math.max(0, pattern.length - 1);
}

/** True where one field is in the same item as another. */
export function isBeside(field: Field, other: Field): boolean {
  return isWithin(field, { ...other, pattern: other.pattern.slice(0, itemDepth(other)) });
}

/** The field of exactly these names. */
export function fieldAt(
  fields: readonly Field[],
  pattern: readonly string[],
  source: number,
): Field | undefined {
  return fields.find(
    (field) =>
      field.source === source &&
      field.pattern.length === pattern.length &&
      field.pattern.every((part, at) => part === pattern[at]),
  );
}

/** True for a place inside another, or the same. */
export function isSamePath(path: Path, start: Path): boolean {
  return start.every((step, at) => path[at] === step);
}

/** Whether a path is inside one of several, which are equally long; in a time that does not grow with their number. */
export function isInOneOf(outer: readonly Path[]): (path: Path) => boolean {
  const known = new Set(outer.map((path) => JSON.stringify(path)));
  const length = outer[0]?.length ?? 0;
  return (path) => known.has(JSON.stringify(path.slice(0, length)));
}

/** The number that a value is, or that a text is as a whole. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}

/** The JSONPath query (RFC 9535) of one place. */
export function pathText(path: Path): string {
  return `$${path.map((step) => stepText(step)).join('')}`;
}

/** The query of several places of one field; a list of its places where not all are meant. */
export function pathOfAll({ pattern, places: all }: Field, places: readonly Place[]): string {
  const isAll = places.length === all.length;
  const star = pattern.lastIndexOf('*');
  const steps = pattern.map((part, at) => {
    if (part !== '*') return stepText(part);
    const indexes = [...new Set(places.map(({ path }) => path[at]))];
    if (!isAll && indexes.length === 1) return `[${indexes[0]}]`;
    return isAll || at !== star ? '[*]' : `[${indexes.join(',')}]`;
  });
  return `$${steps.join('')}`;
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[A-Za-z_]\w*$/.test(step)
    ? `.${step}`
    : `['${step.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
}
