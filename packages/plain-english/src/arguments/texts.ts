import { spend } from '../allowance';
import { isClosedKind, isKindOf } from '../recall/kinds';
import { contextOf } from './context';
import { matchShape } from './examples';
import { labelOf } from './labels';
import { isCapital, TITLES } from './names';
import { plainStem, type Kind, type Slot } from './slots';
import type { Range } from './spans';
import { classesOf } from './token-classes';
import { textSpans, type TextSpan } from './text-spans';
import { valueText, type Candidate, type View } from './view';

/** Kinds whose values no form of their own tells. */
const OPEN: readonly Kind[] = ['prose', 'title', 'thing', 'person', 'place', 'address', 'code'];
/** Likeness to an example in more than the kinds of characters. */
const SPECIAL = 2;
/** Work of one stretch for one parameter. */
const SPAN_COST = 4;
const SURE = new Set(['quoted', 'label 2', 'label 3', 'shape capitals', 'shape code', 'example']);

/** What may be the value of a text parameter: every stretch between two places where one may begin and end. */
export function textCandidates(view: View, slot: Slot): Candidate[] {
  if (!OPEN.some((kind) => slot.kinds.has(kind))) return [];
  const isLong = slot.kinds.has('prose') || slot.kinds.has('title');
  return textSpans(view).flatMap((span) => {
    spend(SPAN_COST);
    if ((span.isLong && !isLong) || (span.isFragment && !slot.kinds.has('prose'))) return [];
    const range = withoutThe(view, slot, span);
    const value = valueText(view, range);
    const own = ownFeatures(view, slot, span);
    const isPart = slot.kinds.has('code') && own.includes('cuts example');
    const isOthers = own.includes('example of another') && !matchShape(view.text, span.from, slot.examples);
    if (isPart || isOthers || !suitsForm(slot, value)) return [];
    const features = ['text', ...span.features, ...contextOf(view, slot, span), ...own];
    const label = labelOf(view, slot, span.from);
    return [
      {
        slot,
        ...range,
        value,
        features,
        isCertain: features.some((one) => SURE.has(one)),
        explains: { from: label?.from ?? span.from, to: span.to },
      },
    ];
  });
}

/** A code has a digit, or is written in capitals, unless its examples are plain words. */
function suitsForm({ kinds, examples, nameWords }: Slot, value: string): boolean {
  if (kinds.has('code') && kinds.size === 1 && examples.length === 0)
    return (
      /\d/.test(value) ||
      (/^[\p{Lu}.]+$/u.test(value) && nameWords.some((word) => /^(?:symbol|ticker|code|key)$/.test(word)))
    );
  return !examples.some((example) => /\d/.test(example)) || /\d/.test(value);
}

function withoutThe({ tokens }: View, { parameter }: Slot, { from, to }: Range): Range {
  const isUnwanted = /without (?:a |the )?(?:leading )?["“']?the\b/i.test(parameter.description);
  return isUnwanted && tokens[from]?.lower === 'the' && to > from + 1 ? { from: from + 1, to } : { from, to };
}

/** What the words of a stretch are for this parameter. */
function ownFeatures(view: View, slot: Slot, span: TextSpan): string[] {
  const { from, to } = span;
  const { tokens } = view;
  const features: string[] = [];
  const [first = '', last = ''] = [tokens[from]?.lower, tokens[to - 1]?.lower];
  const head = slot.nameWords.at(-1) ?? '';
  if (slot.nameStems.has(plainStem(first))) features.push('own first');
  if (slot.nameStems.has(plainStem(last))) features.push('own last');
  const isOthers = view.slots.some(
    (other) => other !== slot && (matchShape(view.text, from, other.examples)?.likeness ?? 0) > SPECIAL,
  );
  if (isOthers) features.push('example of another');
  const next = classesOf(view)[to] ?? '';
  // `Northgate` of `Northgate depot`, unless the parameter is the depot.
  if (
    isCapital(tokens[to - 1]) &&
    /^(?:word|tool|own)$/.test(next) &&
    !slot.nameStems.has(plainStem(tokens[to]?.lower ?? ''))
  )
    features.push('cut from its noun');
  const isPlace = /of (?:location|structure|body_of_water)$/;
  if (
    !slot.kinds.has('place') &&
    view.slots.some(({ kinds }) => kinds.has('place')) &&
    span.features.some((one) => isPlace.test(one))
  )
    features.push('place for another');
  if (!isOfKind(slot, first) && view.slots.some((other) => other !== slot && isOfKind(other, first)))
    features.push('kind for another');
  if (slot.examples.length > 0) features.push(...exampleFeatures(view, slot, { from, to }));
  const isNoun = slot.kinds.has('thing') || slot.kinds.has('place');
  if (isNoun && [first, last].some((word) => word.length > 2 && word !== head && isKindOf(word, head)))
    features.push(isClosedKind(head) ? 'of its closed kind' : 'of its kind');
  else if (isNoun && isClosedKind(head)) features.push('not of its closed kind');
  if (isPlaceName(view, { from, to })) features.push('known place');
  return slot.kinds.has('person') ? [...features, ...personFeatures(view, slot, { from, to })] : features;
}

/** Whether a stretch looks like an example of the description, or is a part of what does. */
function exampleFeatures(view: View, slot: Slot, { from, to }: Range): string[] {
  const shape = matchShape(view.text, from, slot.examples);
  if (!shape) return ['no example'];
  return shape.to > to ? ['cuts example'] : [];
}

/** A name that WordNet has as that of a place. */
function isPlaceName({ tokens }: View, { from, to }: Range): boolean {
  const name = tokens.slice(from, to);
  const written = name.map(({ lower }) => lower).join('_');
  return name.every(isCapital) && ['city', 'region', 'country'].some((kind) => isKindOf(written, kind));
}

/** Whom a sentence names as its subject, as the asker, or with a title. */
function personFeatures(view: View, slot: Slot, { from, to }: Range): string[] {
  const { tokens } = view;
  const before = [3, 2, 1].map((back) => tokens[from - back]?.lower ?? '').join(' ');
  const isAsker =
    /(?:\bi'm|\bi am|\bname is|\bname 's|\bname's|this is|\bim)$/.test(before) ||
    tokens[to]?.lower === 'here';
  const isTitled = TITLES.has(tokens[from]?.lower ?? '');
  const persons = view.slots.filter(({ kinds }) => kinds.has('person'));
  const isFirst = !view.spans.names.some((one) => one.to <= from && one.to > 1);
  return [
    ...(isAsker ? ['asker'] : []),
    ...(wantsTitle(slot) ? [isTitled ? 'title as wanted' : 'title missing'] : []),
    ...(isTitled && !wantsTitle(slot) && persons.some(wantsTitle) ? ['title for another'] : []),
    ...(/^(?:dr|prof|doctor|professor)$/.test(tokens[from]?.lower ?? '')
      ? [
          isProfessional(slot)
            ? 'title of profession'
            : persons.some(isProfessional)
              ? 'title of other'
              : 'title',
        ]
      : []),
    ...(persons.length > 1
      ? [`${isFirst ? 'first' : 'later'} name for ${persons[0] === slot ? 'first' : 'later'}`]
      : []),
  ];
}

/** `French` where a parameter is called language. */
function isOfKind({ nameWords }: Slot, word: string): boolean {
  const head = nameWords.at(-1) ?? '';
  return isClosedKind(head) && isKindOf(word, head);
}

function isProfessional({ nameWords }: Slot): boolean {
  return nameWords.some((word) => isKindOf(word, 'professional'));
}

function wantsTitle({ parameter }: Slot): boolean {
  return /\b(?:with title|dr|mr|mrs|ms|prof)\b/i.test(parameter.description);
}
