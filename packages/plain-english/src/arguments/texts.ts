import { ARTICLES, POLITENESS, PRONOUNS, STOP_WORDS } from '../text/stop-words';
import { stem } from '../text/stem';
import type { Token } from '../text/token';
import { isKindOf } from '../recall/kinds';
import { contextFit, leadOf } from './context';
import { matchShape } from './examples';
import { labelOf, labelsIn } from './labels';
import { isCapital, TITLES, type NameRun } from './names';
import { chunksOf, hasContent, PREPOSITIONS, valueEnd } from './phrases';
import { isPlaceWord, plainStem, type Kind, type Slot } from './slots';
import { MAX_TOKENS, type Range } from './spans';
import { isKnownWord, isWeak } from './synonyms';
import { termsOf } from './tool-terms';
import { isToolWord, valueText, type Candidate, type View } from './view';

const QUOTED: Partial<Readonly<Record<Kind, number>>> = {
  title: 3,
  prose: 3,
  thing: 2.2,
  person: 1.6,
  place: 1.6,
  address: 1.6,
  code: 1.2,
};
const NAMED: Partial<Readonly<Record<Kind, number>>> = {
  person: 2,
  title: 1.9,
  place: 1.6,
  thing: 1.1,
  code: 0.6,
};
const PHRASED: Partial<Readonly<Record<Kind, number>>> = {
  place: 0.9,
  title: 0.5,
  thing: 0.8,
  person: 0.3,
  prose: 0.3,
  code: -0.4,
};

/** What may be the value of a text parameter that no form of its own tells: quotations, names, phrases. */
export function textCandidates(view: View, slot: Slot): Candidate[] {
  const found = [
    ...quotations(view, slot),
    ...announced(view, slot),
    ...names(view, slot),
    ...phrases(view, slot),
    ...labelledBehind(view, slot),
    ...kinds(view, slot),
    ...counted(view, slot),
    ...objects(view, slot),
  ];
  return found
    .filter((one) => suitsForm(slot, String(one.value)))
    .map((one) =>
      slot.examples.length === 0 || matchShape(view.text, one.from, slot.examples)
        ? one
        : { ...one, score: one.score - 0.8 },
    );
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

function weightOf(slot: Slot, weights: Partial<Readonly<Record<Kind, number>>>): number | undefined {
  const found = [...slot.kinds].flatMap((kind) => weights[kind] ?? []);
  return found.length === 0 ? undefined : Math.max(...found);
}

function make(
  view: View,
  slot: Slot,
  range: Range,
  score: number,
  isCertain: boolean,
  explains?: Range,
): Candidate {
  return {
    slot,
    ...range,
    value: valueText(view, range),
    score,
    isCertain,
    ...(explains ? { explains } : {}),
  };
}

function quotations(view: View, slot: Slot): Candidate[] {
  const weight = weightOf(slot, QUOTED);
  if (weight === undefined) return [];
  return view.tokens.slice(0, MAX_TOKENS).flatMap(({ kind }, at) => {
    const range = { from: at, to: at + 1 };
    return kind === 'quoted'
      ? [make(view, slot, range, weight + Math.min(2, contextFit(view, slot, range)), true)]
      : [];
  });
}

/** `subject Meeting`, `department: marketing`, `saying see you at 10`. */
function announced(view: View, slot: Slot): Candidate[] {
  const isProse = slot.kinds.has('prose') || slot.kinds.has('title');
  const isFormed = ['email', 'url', 'phone', 'date', 'time', 'file', 'address'].some((kind) =>
    slot.kinds.has(kind as Kind),
  );
  if (isFormed && !isProse) return [];
  return labelsIn(view)
    .filter((label) => label.slot === slot && view.tokens[label.value]?.kind !== 'quoted')
    .flatMap((label) => {
      const isSure = label.strength > 1;
      if (!isSure && isUnlikely(view, label.from, label.value)) return [];
      let from = label.value;
      while (ARTICLES.has(view.tokens[from]?.lower ?? '') && !slot.kinds.has('prose') && label.strength < 3)
        from++;
      const to = valueEnd(view, from, label, slot);
      if (to <= from) return [];
      const score =
        (isSure ? 1.6 : 0.9) +
        label.strength * 0.8 -
        (slot.kinds.has('code') && !/\d/.test(valueText(view, { from, to })) ? 1.5 : 0);
      return [make(view, slot, { from, to }, score, isSure, { from: label.from, to })];
    });
}

/** A label next to its value needs a sign that it is one: `the tag` of `take the tag off` announces nothing. */
function isUnlikely(view: View, at: number, value: number): boolean {
  const first = view.tokens[value];
  const before = view.tokens[at - 1]?.lower ?? ',';
  if (!first || PREPOSITIONS.has(first.lower) || STOP_WORDS.has(first.lower)) return true;
  return (
    !/^(?:with|and|,|;|\.|the|a|an|for|of|in|from|by|my|-|\/|:|using|as)$/.test(before) &&
    first.kind !== 'quoted' &&
    !isCapital(first)
  );
}

function names(view: View, slot: Slot): Candidate[] {
  const weight = weightOf(slot, NAMED);
  if (weight === undefined) return [];
  return view.spans.names.flatMap((run) => {
    const range = withoutOwnWords(view, run, slot);
    if (!range || (range.isJoined && !slot.kinds.has('title') && !slot.kinds.has('thing'))) return [];
    // What a label announces may go on after its capitals.
    const label = labelOf(view, slot, range.from)?.strength ?? 0;
    if (label === 3 || (label === 2 && slot.kinds.has('title'))) return [];
    const length = range.to - range.from;
    const context = contextFit(view, slot, range);
    const score =
      weight +
      context -
      (!slot.parameter.required && context <= 0 && !slot.kinds.has('person') ? 0.9 : 0) +
      (slot.kinds.has('person') ? personFit(view, slot, range) : 0) +
      (slot.kinds.has('title') ? Math.min(length - 1, 3) * 0.15 : 0) +
      (range.isJoined ? 0.2 : 0) -
      (range.startsSentence && length === 1 && slot.kinds.has('person') && !isSpokenOf(view, range)
        ? 2.5
        : 0);
    return [make(view, slot, withoutThe(view, slot, range), score, true)];
  });
}

/** The first word of a sentence has its capital from the sentence; verbs and the tool's own words are no names. */
function withoutOwnWords(view: View, run: NameRun, { nameWords }: Slot): NameRun | undefined {
  const { tokens } = view;
  let { from } = run;
  while (from < run.to) {
    const lower = tokens[from]?.lower ?? '';
    const isFirst = from === run.from && run.startsSentence;
    const isOwn = isToolWord(view, lower) || view.slots.some(({ words }) => words.has(stem(lower)));
    const isPlain =
      STOP_WORDS.has(lower) || POLITENESS.has(lower) || isKnownWord(stem(lower)) || isWeak(stem(lower));
    if (TITLES.has(lower) || (!isFirst && !(isOwn && run.to - from === 1)) || !(isPlain || isOwn)) break;
    // `The Glass Orchard` begins with its article, and `Hotel Aurora` with what it is.
    if ((lower === 'the' || nameWords.includes(lower)) && run.to - from > 1) break;
    from++;
  }
  if (tokens[from]?.lower === "'s") from++;
  return from < run.to
    ? { ...run, from, startsSentence: run.startsSentence && from === run.from }
    : undefined;
}

function withoutThe({ tokens }: View, { parameter }: Slot, range: Range): Range {
  const isUnwanted = /without (?:a |the )?(?:leading )?["“']?the\b/i.test(parameter.description);
  return isUnwanted && tokens[range.from]?.lower === 'the' && range.to > range.from + 1
    ? { from: range.from + 1, to: range.to }
    : range;
}

const SAYING_OF = new Set(
  'is was has had got weighs weighed reached scored needs wants arrives arrived stays comes came will would brings took said'.split(
    ' ',
  ),
);

function isSpokenOf({ tokens }: View, { to }: Range): boolean {
  const next = tokens[to]?.lower ?? '.';
  return next === "'s" || SAYING_OF.has(next) || /^[.,;\-/]$/.test(next);
}

/** Who a sentence names as its subject, as the asker, or with a title. */
function personFit(view: View, { parameter }: Slot, { from, to }: Range): number {
  const { tokens } = view;
  const before = [3, 2, 1].map((back) => tokens[from - back]?.lower ?? '').join(' ');
  const says =
    /(?:\bi'm|\bi am|\bname is|\bname 's|\bname's|this is|\bim)$/.test(before) ||
    tokens[to]?.lower === 'here';
  const isTitled = TITLES.has(tokens[from]?.lower ?? '');
  const wantsTitle = /\b(?:with title|dr|mr|mrs|ms|prof)\b/i.test(parameter.description);
  const titled = isTitled
    ? wantsTitle
      ? 1.5
      : /^(?:dr|doctor|prof|professor)$/.test(tokens[from]?.lower ?? '')
        ? -0.6
        : 0.2
    : wantsTitle
      ? -1.2
      : 0;
  const isElsewhere = /\b(?:at|in|near|into)$/.test(before) ? 1.2 : 0;
  return (
    (says ? 1.2 : 0) +
    titled +
    (to - from > 1 ? 0.3 : 0) +
    (isSpokenOf(view, { from, to }) ? 0.4 : 0) -
    isElsewhere
  );
}

/** What stands after a preposition that leads to the parameter. */
function phrases(view: View, slot: Slot): Candidate[] {
  const weight = weightOf(slot, PHRASED);
  if (weight === undefined) return [];
  return chunksOf(view).flatMap((chunk) => {
    const lead = leadOf(slot, chunk.preposition);
    if (chunk.preposition === '' || lead <= 0) return [];
    const range = ownTrimmed(view, slot, chunk);
    // What may stay out needs a sign of its own.
    const isVague =
      !slot.parameter.required &&
      lead <= (slot.kinds.has('place') ? 0.9 : 1) &&
      !isCapital(view.tokens[range.from]);
    return [
      make(
        view,
        slot,
        range,
        weight + lead - (range.to - range.from > 5 ? 0.4 : 0) - (isVague ? 0.8 : 0),
        false,
        chunk,
      ),
    ];
  });
}

/** `customer Ann` is Ann, and `the bedroom light` of a tool for lights the bedroom. */
function ownTrimmed(view: View, slot: Slot, { from, to }: Range): Range {
  const { tokens } = view;
  const { name } = termsOf(view.tool);
  const isOwn = (at: number): boolean => {
    const token = tokens[at];
    if (token?.kind !== 'word' || /^\p{Lu}/u.test(token.text)) return false;
    return (
      name.includes(stem(token.lower)) ||
      slot.nameStems.has(stem(token.lower)) ||
      ARTICLES.has(token.lower) ||
      /^(?:me|us|does|do)$/.test(token.lower)
    );
  };
  let [start, end] = [from, to];
  while (start < end - 1 && isOwn(start)) start++;
  // `the living room` is a room.
  const isRoom = (at: number): boolean =>
    isPlaceWord(tokens[at]?.lower ?? '') && slot.nameWords.includes(tokens[at]?.lower ?? '');
  while (end > start + 1 && isOwn(end - 1) && !isRoom(end - 1)) end--;
  return { from: start, to: end };
}

/** `the accounting department`, `in Central branch`: what stands before the parameter's own word. */
function labelledBehind(view: View, slot: Slot): Candidate[] {
  const head = slot.nameWords.at(-1) ?? '';
  if (slot.kinds.has('prose') || slot.kinds.has('code') || isPlaceWord(head)) return [];
  return view.tokens.slice(0, MAX_TOKENS).flatMap(({ lower }, at) => {
    if (lower !== head) return [];
    let from = at;
    while (
      from > 0 &&
      at - from < 3 &&
      isDescribing(view, from - 1) &&
      !slot.nameWords.includes(view.tokens[from - 1]?.lower ?? '')
    )
      from--;
    const before = view.tokens[from - 1]?.lower ?? '';
    return from === at || !ARTICLES.has(before)
      ? []
      : [make(view, slot, { from, to: at }, 3.4, true, { from, to: at + 1 })];
  });
}

function isDescribing(view: View, at: number): boolean {
  const token = view.tokens[at];
  return token?.kind === 'word' && !STOP_WORDS.has(token.lower) && !PREPOSITIONS.has(token.lower);
}

const SHADES = new Set('dark light bright pale deep'.split(' '));

/** A word for one of what the parameter is: `red` for a colour, `Lisbon` for a city. */
function kinds(view: View, slot: Slot): Candidate[] {
  const head = slot.nameWords.at(-1) ?? '';
  if (!slot.kinds.has('thing') && !slot.kinds.has('place')) return [];
  return view.tokens.slice(0, MAX_TOKENS).flatMap(({ kind, lower }, at) => {
    if (
      kind !== 'word' ||
      lower.length < 3 ||
      lower === head ||
      STOP_WORDS.has(lower) ||
      isToolWord(view, lower)
    )
      return [];
    if (isKnownWord(stem(lower)) || !isKindOf(lower, head)) return [];
    const from = SHADES.has(view.tokens[at - 1]?.lower ?? '') ? at - 1 : at;
    const range = { from, to: endOfKind(view, head, at + 1) };
    return [make(view, slot, range, 1.9 + Math.max(0, contextFit(view, slot, range)), true)];
  });
}

/** `lentil soup`, `oatmeal with berries`: several words for one thing of the kind. */
function endOfKind({ tokens }: View, head: string, start: number): number {
  let to = start;
  for (;;) {
    const next = /^(?:with|and|of)$/.test(tokens[to]?.lower ?? '') ? to + 1 : to;
    const token = tokens[next];
    if (token?.kind !== 'word' || STOP_WORDS.has(token.lower) || !isKindOf(token.lower, head)) return to;
    to = next + 1;
  }
}

/** `60 pillows` for what is ordered. */
function counted(view: View, slot: Slot): Candidate[] {
  if (!slot.kinds.has('thing') || !slot.parameter.required) return [];
  const pointers = view.tokens.flatMap(({ lower }, at) =>
    /^(?:that|this)$/.test(lower) && view.tokens[at + 1]?.kind === 'word' ? [{ to: at + 1 }] : [],
  );
  return [...view.spans.numbers, ...pointers].flatMap(({ to: at }) => {
    let from = at;
    while (/^(?:many|much|of|pieces|more|units)$/.test(view.tokens[from]?.lower ?? '')) from++;
    let to = from;
    while (
      view.tokens[to]?.kind === 'word' &&
      !STOP_WORDS.has(view.tokens[to]?.lower ?? '') &&
      !POLITENESS.has(view.tokens[to]?.lower ?? '')
    )
      to++;
    const isUnit = view.slots.some(
      ({ kinds, words }) => kinds.has('number') && words.has(plainStem(view.tokens[from]?.lower ?? '')),
    );
    return to > from && !isUnit ? [make(view, slot, { from, to }, 1.4, false)] : [];
  });
}

const OF_OBJECT: readonly Kind[] = ['thing', 'place', 'title', 'code'];

/** The object of the verb: `track my parcel`, `restart mail-relay`. */
function objects(view: View, slot: Slot): Candidate[] {
  if (!slot.parameter.required || !OF_OBJECT.some((kind) => slot.kinds.has(kind)) || slot.kinds.has('prose'))
    return [];
  const { verbs, name } = termsOf(view.tool);
  const verb = view.tokens.findIndex(
    ({ kind, lower }) => kind === 'word' && [...verbs, ...name].includes(stem(lower)),
  );
  const isOther = ({ lower }: Token): boolean =>
    PRONOUNS.has(lower) || /^(?:i|you|we|how|what|which|who)$/.test(lower);
  const direct = chunksOf(view).find(
    ({ preposition, from, to }) => preposition === '' && to > verb + 1 && from <= verb + 3,
  );
  if (!direct || view.tokens.slice(direct.from, direct.to).some(isOther)) return [];
  const range = ownTrimmed(view, slot, { from: Math.max(direct.from, verb + 1), to: direct.to });
  return range.to > range.from && hasContent(view, range) ? [make(view, slot, range, 0.9, false)] : [];
}
