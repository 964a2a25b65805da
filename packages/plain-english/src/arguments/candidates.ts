import { isIdLike } from '../text/id-like';
import { writeDate, writeTime } from '../text/temporal';
import type { Token } from '../text/token';
import { findChoices } from './choices';
import { contextFit, leadOf, prepositionBefore } from './context';
import { matchShape } from './examples';
import { flagCandidates } from './flags';
import { labelOf } from './labels';
import { listCandidates } from './lists';
import { proseCandidates } from './prose';
import { inUnitOf, unitFit, unitOf } from './quantities';
import { plainStem, type Kind, type Slot } from './slots';
import { MAX_TOKENS, overlap } from './spans';
import { textCandidates } from './texts';
import { valueText, type Candidate, type View } from './view';

/** Every way to fill a parameter from a text, with how much speaks for it. */
export function candidatesFor(view: View, slot: Slot): Candidate[] {
  const { kinds } = slot;
  if (kinds.has('choice')) return choiceCandidates(view, slot);
  if (kinds.has('flag')) return flagCandidates(view, slot);
  if (kinds.has('number')) return numberCandidates(view, slot);
  if (kinds.has('list')) return listCandidates(view, slot);
  const formed = [
    ...formCandidates(view, slot),
    ...momentCandidates(view, slot),
    ...codeCandidates(view, slot),
    ...addressCandidates(view, slot),
  ];
  return kinds.has('json') && kinds.size === 1
    ? formed
    : [...formed, ...textCandidates(view, slot), ...proseCandidates(view, slot)];
}

function choiceCandidates(view: View, slot: Slot): Candidate[] {
  return findChoices(view.tokens, slot.parameter).map(({ value, from, to, likeness }) => {
    const amountBefore = view.tokens[from - 1]?.kind === 'number' || view.tokens[from + 1]?.kind === 'number';
    const lead =
      leadOf(slot, prepositionBefore(view.tokens, from, slot)) ||
      (amountBefore ? leadOf(slot, 'from') * 0.5 : 0);
    const label = labelOf(view, slot, from)?.strength ?? 0;
    const next = view.tokens[to];
    const isBefore = next?.kind === 'word' && slot.nameStems.has(plainStem(next.lower));
    const score = 1.4 + likeness + lead * 0.7 + Math.max(label, isBefore ? 2 : 0) * 0.6;
    return { slot, from, to, value, score, isCertain: true, explains: { from, to: isBefore ? to + 1 : to } };
  });
}

function numberCandidates(view: View, slot: Slot): Candidate[] {
  const { tokens } = view;
  const isInteger = slot.parameter.type === 'integer';
  const isPlace = view.slots.some(({ kinds }) => kinds.has('address') || kinds.has('place'));
  return view.spans.numbers.flatMap((span) => {
    const { from, to } = span;
    if (isPlace && view.spans.addresses.some((one) => overlap(one, span))) return [];
    const unit = tokens[to]?.lower ?? '';
    const value = inUnitOf(slot, span.value, unit);
    if (isInteger && !Number.isInteger(value)) return [];
    const isLimit =
      /^(?:most|top|first|last|only|max|maximum)$/.test(tokens[from - 1]?.lower ?? '') &&
      slot.nameWords.some((word) => /^(?:limit|max|top)$/.test(word));
    const isTimes = /^(?:times|x)$/.test(unit) || tokens[from - 1]?.lower === 'x';
    const isWord =
      tokens[from]?.lower === 'single' &&
      view.slots.some(({ parameter }) => parameter.enum?.includes('single'));
    const score =
      1 +
      unitFit(slot, tokens, span) +
      Math.min(2.5, contextFit(view, slot, span)) +
      (isLimit ? 2 : 0) +
      (isTimes ? 0.4 : 0) -
      (isWord ? 3 : 0);
    return [
      { slot, from, to, value, score, isCertain: true, explains: { from, to: unitOf(unit) ? to + 1 : to } },
    ];
  });
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
      return [{ slot, ...range, value, score: 2.6 + contextFit(view, slot, range), isCertain: true }];
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
  const isPure = [...kinds].every((kind) => kind === 'date' || kind === 'time');
  return spans.flatMap(({ from, to, date, time }) => {
    const suits = (date && kinds.has('date')) || (time && kinds.has('time'));
    if (!suits && others.length > 0) return [];
    const text = valueText(view, { from, to });
    const value = writeDate(writeTime(text, parameter.description), parameter.description);
    const score = (suits ? 2.2 : 0.9) + (isPure ? 0.3 : 0) + contextFit(view, slot, { from, to });
    return [{ slot, from, to, value, score, isCertain: true }];
  });
}

/** What looks like an example of the description, and for codes without one, words with digits. */
function codeCandidates(view: View, slot: Slot): Candidate[] {
  const { tokens, text } = view;
  const isCode = slot.kinds.has('code');
  if (!isCode && slot.examples.length === 0) return [];
  return tokens.slice(0, MAX_TOKENS).flatMap((token, at) => {
    const shape = matchShape(text, at, slot.examples);
    const range = { from: at, to: shape?.to ?? at + 1 };
    const base = shape
      ? shape.likeness + 0.6
      : isCode && slot.examples.length === 0
        ? codeForm(view, slot, token, at)
        : 0;
    if (base === 0) return [];
    return [
      {
        slot,
        ...range,
        value: valueText(view, range),
        score: base + contextFit(view, slot, range),
        isCertain: true,
      },
    ];
  });
}

function codeForm(view: View, slot: Slot, { kind, text }: Token, at: number): number {
  if (kind === 'number') {
    const isNamed = view.tokens[at - 1]?.text === '#' || labelOf(view, slot, at) !== undefined;
    return isNamed || isNoun(view, at) ? 1.2 : slot.parameter.required && /^\d{4,}$/.test(text) ? 0.5 : 0;
  }
  if (kind !== 'word') return 0;
  if (isIdLike(text) || /^[A-Z]{1,4}\d{1,}[A-Z0-9]*$/.test(text)) return 2;
  const isPlain = slot.nameWords.some((word) => /^(?:symbol|ticker|code|key)$/.test(word));
  return isPlain && /^[A-Z][A-Z0-9.]{1,5}$/.test(text) ? 1.4 : 0;
}

/** `order 1234` for a tool that is about orders. */
function isNoun(view: View, at: number): boolean {
  const before = view.tokens[at - 1];
  return before?.kind === 'word' && view.tool.name.toLowerCase().split('_').slice(1).includes(before.lower);
}

function addressCandidates(view: View, slot: Slot): Candidate[] {
  const isPlace = slot.kinds.has('place');
  if (!slot.kinds.has('address') && !isPlace) return [];
  return view.spans.addresses.map((range) => ({
    slot,
    ...range,
    value: valueText(view, range),
    score: (isPlace ? 1.8 : 2.6) + contextFit(view, slot, range),
    isCertain: true,
  }));
}
