import { phraseOf, type Asked } from './asked';
import type { Field } from './fields';

const IMPLIED: readonly (readonly [asked: RegExp, fits: (field: Field, value: unknown) => boolean])[] = [
  [
    /\b(?:when|what time|what date|which day)\b/,
    (_, value) => typeof value === 'string' && /^\d{4}-\d\d|^\d{1,2}:\d\d/.test(value),
  ],
  [
    /\bhow much\b|\b(?:cost|costs|pay|worth)\b/,
    (field, value) =>
      typeof value === 'number' &&
      field.words.some((word) => /^(?:price|cost|fee|fare|amount|total|rate)$/.test(word)),
  ],
  [
    /\bwhere\b/,
    (field) =>
      field.words.some((word) => /^(?:location|place|city|town|address|venue|room|position)$/.test(word)),
  ],
];

/** A field that only the kind of the question names: `when`, `how much`, `where`. */
export function impliedField(asked: Asked): Field | undefined {
  const phrase = phraseOf(asked);
  const kind = IMPLIED.find(([pattern]) => pattern.test(phrase));
  if (!kind) return undefined;
  const fitting = asked.fields.filter((field) => field.places.every(({ value }) => kind[1](field, value)));
  return fitting.length === 1 ? fitting[0] : undefined;
}

const NAMES = ['name', 'title', 'fullname', 'username', 'label', 'id'];
/** The field that names the things which have these fields. */
export function nameOf(fields: readonly Field[]): Field | undefined {
  const texts = fields.filter(({ places }) => places.every(({ value }) => typeof value === 'string'));
  for (const name of NAMES) {
    const found =
      texts.find(({ words }) => words.join('') === name) ?? texts.find(({ words }) => words.at(-1) === name);
    if (found) return found;
  }
  return texts.length === 1 ? texts[0] : undefined;
}
