import { writeDate, writeTime } from '../text/temporal';
import type { Token } from '../text/token';
import { findChoices } from './choices';
import { contextOf } from './context';
import { matchShape } from './examples';
import { flagCandidates } from './flags';
import { labelOf } from './labels';
import { listCandidates } from './lists';
import { inUnitOf, measureOf } from './quantities';
import type { Kind, Slot } from './slots';
import { overlap, type Range } from './spans';
import { textCandidates } from './texts';
import { unitOf } from './units';
import { valueText, type Candidate, type View } from './view';

/** Every way to fill a parameter from a text. */
export function candidatesFor(view: View, slot: Slot): Candidate[] {
  const { kinds } = slot;
  if (kinds.has('choice')) return choiceCandidates(view, slot);
  if (kinds.has('flag')) return flagCandidates(view, slot);
  if (kinds.has('number')) return numberCandidates(view, slot);
  if (kinds.has('list')) return listCandidates(view, slot);
  return merge([
    ...formCandidates(view, slot),
    ...momentCandidates(view, slot),
    ...exampleCandidates(view, slot),
    ...textCandidates(view, slot),
  ]);
}

/** One candidate for each stretch, with what every reading of it says. */
function merge(candidates: readonly Candidate[]): Candidate[] {
  const merged = new Map<string, Candidate>();
  for (const one of candidates) {
    const key = `${one.from}-${one.to}`;
    const other = merged.get(key);
    merged.set(
      key,
      other
        ? {
            ...other,
            features: [...new Set([...other.features, ...one.features])],
            isCertain: other.isCertain || one.isCertain,
          }
        : one,
    );
  }
  return [...merged.values()];
}

function choiceCandidates(view: View, slot: Slot): Candidate[] {
  return findChoices(view.tokens, slot.parameter).map(({ value, from, to, likeness }) => {
    const isCounted = view.tokens[from - 1]?.kind === 'number' || view.tokens[from + 1]?.kind === 'number';
    const context = contextOf(view, slot, { from, to });
    const features = ['choice', `likeness ${likeness}`, ...context, ...(isCounted ? ['beside number'] : [])];
    const isNamed = context.includes('before its name');
    return {
      slot,
      from,
      to,
      value,
      features,
      isCertain: true,
      explains: { from, to: isNamed ? to + 1 : to },
    };
  });
}

function numberCandidates(view: View, slot: Slot): Candidate[] {
  const { tokens } = view;
  const isPlace = view.slots.some(({ kinds }) => kinds.has('address') || kinds.has('place'));
  return view.spans.numbers.flatMap((span) => {
    const { from, to } = span;
    const isChoice = view.slots.some(({ parameter }) => parameter.enum?.includes(tokens[from]?.lower ?? ''));
    const isOfName = span.isOfName && !labelOf(view, slot, from);
    if (isChoice || isOfName || (isPlace && view.spans.addresses.some((one) => overlap(one, span))))
      return [];
    const unit = tokens[to]?.lower ?? '';
    const value = inUnitOf(slot, span.value, unit);
    if (slot.parameter.type === 'integer' && !Number.isInteger(value)) return [];
    const features = [
      'number',
      ...measureOf(slot, tokens, span),
      ...contextOf(view, slot, span),
      ...inOrder(view, slot, 'number', view.spans.numbers, span),
    ];
    return [
      {
        slot,
        from,
        to,
        value,
        features,
        isCertain: true,
        explains: { from, to: unitOf(unit) ? to + 1 : to },
      },
    ];
  });
}

/** Whether a value stands among those of its kind where its parameter stands among those of the kind. */
function inOrder(view: View, slot: Slot, kind: Kind, ranges: readonly Range[], range: Range): string[] {
  const slots = view.slots.filter(({ kinds }) => kinds.has(kind));
  if (slots.length < 2 && ranges.length < 2) return ['alone'];
  return slots.indexOf(slot) === ranges.indexOf(range) ? ['in order'] : [];
}

const FORMS: readonly (readonly [kind: Kind, (token: Token) => boolean])[] = [
  ['email', ({ kind }) => kind === 'email'],
  ['url', ({ kind }) => kind === 'url' || kind === 'domain'],
  ['file', ({ kind, value }) => kind === 'file' || (kind === 'quoted' && /\.\w{2,5}$/.test(String(value)))],
  ['phone', ({ text, kind }) => kind === 'phone' || (kind === 'number' && /^\d{6,}$/.test(text))],
  ['json', ({ kind, value }) => kind === 'json' && !Array.isArray(value)],
];

function formCandidates(view: View, slot: Slot): Candidate[] {
  return FORMS.filter(([kind]) => slot.kinds.has(kind)).flatMap(([, matches]) =>
    view.tokens.flatMap((token, at) => {
      if (!matches(token)) return [];
      const range = { from: at, to: at + 1 };
      const value = token.kind === 'json' ? token.value : valueText(view, range);
      return [
        { slot, ...range, value, features: ['form', ...contextOf(view, slot, range)], isCertain: true },
      ];
    }),
  );
}

/** Dates and times as they are written; where one parameter takes both, they stay together. */
function momentCandidates(view: View, slot: Slot): Candidate[] {
  const { kinds, parameter } = slot;
  if (!kinds.has('date') && !kinds.has('time')) return [];
  const others = view.slots.filter(
    (other) => other !== slot && (other.kinds.has('date') || other.kinds.has('time')),
  );
  const spans = others.length === 0 ? view.spans.moments : view.spans.temporals;
  return spans.flatMap((span) => {
    const suits = (span.date && kinds.has('date')) || (span.time && kinds.has('time'));
    if (!suits && others.length > 0) return [];
    const { from, to } = span;
    const value = writeDate(writeTime(valueText(view, span), parameter.description), parameter.description);
    const features = [
      suits ? 'moment' : 'other moment',
      ...contextOf(view, slot, span),
      ...inOrder(
        view,
        slot,
        span.date ? 'date' : 'time',
        spans.filter(({ date }) => date === span.date),
        span,
      ),
    ];
    return [{ slot, from, to, value, features, isCertain: true }];
  });
}

/** What looks like an example of the description. */
function exampleCandidates(view: View, slot: Slot): Candidate[] {
  if (slot.examples.length === 0) return [];
  return view.tokens.flatMap((_, at) => {
    const shape = matchShape(view.text, at, slot.examples);
    if (!shape) return [];
    const range = { from: at, to: shape.to };
    const features = ['example', `example ${shape.likeness.toFixed(1)}`, ...contextOf(view, slot, range)];
    return [{ slot, ...range, value: valueText(view, range), features, isCertain: true }];
  });
}
