import type { Slot } from './slots';
import type { Range } from './spans';
import { findChoices } from './choices';
import { hasContent, isStrongLabel } from './phrases';
import { stem } from '../text/stem';
import { meansSame } from './synonyms';
import { termsOf } from './tool-terms';
import { isToolWord, valueText, type Candidate, type View } from './view';

/** Texts to pass on that no quotation marks: after a colon, in a sentence of their own, after `that`. */
export function proseCandidates(view: View, slot: Slot): Candidate[] {
  if (!slot.kinds.has('prose') && !slot.kinds.has('title')) return [];
  return [
    ...afterColon(view, slot),
    ...sentences(view, slot),
    ...afterThat(view, slot),
    ...remains(view, slot),
  ];
}

function make(view: View, slot: Slot, range: Range, score: number, isCertain: boolean): Candidate[] {
  const trimmed = trim(view, range);
  if (trimmed.to <= trimmed.from) return [];
  return [{ slot, ...trimmed, value: valueText(view, trimmed), score, isCertain, explains: range }];
}

const TRAILING = /^(?:[,.?!;:]|please|thanks|pls|thx|every|to|into|in|from|for|with|and|as|by|on|at|of)$/;
const LEADING = /^(?:[,:;-]|me|us|and|to|the|a|an|that|this|following|for|in|into|of)$/;

function trim({ tokens }: View, { from, to }: Range): Range {
  let end = to;
  while (end > from && TRAILING.test(tokens[end - 1]?.lower ?? '')) end--;
  return { from, to: end };
}

/** Where the sentence ends that a token is in, and where the text does. */
function ends({ tokens }: View, at: number): number[] {
  const mark = tokens.findIndex(
    ({ text, end }, index) => index > at && /^[.!?]$/.test(text) && tokens[index + 1]?.start !== end,
  );
  return mark === -1 || mark === tokens.length - 1 ? [tokens.length] : [mark, tokens.length];
}

/** `open a ticket: the printer on floor 2 is jammed`. */
function afterColon(view: View, slot: Slot): Candidate[] {
  const colon = view.tokens.findIndex(
    ({ text, start }, at) => text === ':' && start > 0 && view.tokens[at + 1]?.kind !== 'quoted',
  );
  if (colon === -1 || colon > view.tokens.length - 3) return [];
  const isProse = slot.kinds.has('prose') ? 0.4 : 0;
  return ends(view, colon).flatMap((to, index) =>
    make(view, slot, { from: colon + 1, to }, 1.9 + isProse - index * 0.1, true),
  );
}

/** `notify Ann that the pool is closed`. */
function afterThat(view: View, slot: Slot): Candidate[] {
  const that = view.tokens.findIndex(
    ({ lower }, at) =>
      lower === 'that' &&
      at > 1 &&
      view.tokens[at + 1]?.kind === 'word' &&
      !/^(?:is|was|many|much)$/.test(view.tokens[at + 1]?.lower ?? ''),
  );
  if (that === -1 || !slot.kinds.has('prose')) return [];
  return ends(view, that).flatMap((to, index) =>
    make(view, slot, { from: that + 1, to }, 2 - index * 0.1, true),
  );
}

/** `The wifi keeps dropping. Please log this as a ticket.`: a sentence that another one points to. */
function sentences(view: View, slot: Slot): Candidate[] {
  const { tokens } = view;
  if (!slot.kinds.has('prose') || !slot.parameter.required) return [];
  const [end] = ends(view, 0);
  if (end === undefined || end >= tokens.length) return [];
  const rest = tokens.slice(end + 1);
  const points = rest.some(({ lower }) => /^(?:this|that|it)$/.test(lower));
  const speaks = (part: typeof rest): boolean => {
    const { name } = termsOf(view.tool);
    return part.some(
      ({ kind, lower }) => kind === 'word' && name.some((term) => meansSame(stem(lower), term)),
    );
  };
  return points && speaks(rest) && !speaks(tokens.slice(0, end))
    ? make(view, slot, { from: 0, to: end }, 2.2, true)
    : [];
}

/** `a low priority task to …`: words of the tool and of other parameters lead to the text. */
function isLeading(view: View, at: number): boolean {
  const { lower = '' } = view.tokens[at] ?? {};
  return (
    LEADING.test(lower) ||
    isToolWord(view, lower) ||
    view.slots.some(({ nameWords }) => nameWords.includes(lower))
  );
}

/** More places where another value stands than a request has. */
const MAX_BREAKS = 12;

/** The longest run of words after the verb that no other form is in: free text is what a sentence is mostly made of. */
function remains(view: View, slot: Slot): Candidate[] {
  const { tokens } = view;
  if (!slot.kinds.has('prose') || !slot.parameter.required) return [];
  const { verbs, name } = termsOf(view.tool);
  const verb = tokens.findIndex(
    ({ kind, lower }) => kind === 'word' && [...verbs, ...name].some((term) => meansSame(stem(lower), term)),
  );
  if (verb === -1) return [];
  const words = tokens.flatMap(({ kind, lower }, at) =>
    /^(?:email|phone|url|quoted|file)$/.test(kind) ||
    /^(?:into|to|from|in|[.?!])$/.test(lower) ||
    isStrongLabel(view, at)
      ? [{ from: at, to: at + 1 }]
      : [],
  );
  const choices = view.slots.flatMap(({ parameter }) =>
    parameter.enum ? findChoices(tokens, parameter) : [],
  );
  const breaks = [...words, ...choices, ...view.spans.temporals]
    .filter(({ from }) => from > verb)
    .sort((one, other) => one.from - other.from)
    .slice(0, MAX_BREAKS);
  const starts = [verb + 1, ...breaks.map(({ to }) => to)];
  const stops = [...breaks.map(({ from }) => from), tokens.length];
  return starts.flatMap((start, index) =>
    stops.slice(index, index + 3).flatMap((to, past) => {
      let from = start;
      while (from < to && isLeading(view, from)) from++;
      const range = { from, to };
      return to > from && hasContent(view, range)
        ? make(view, slot, range, 0.9 + Math.min(8, to - from) * 0.02 - past * 0.15, false)
        : [];
    }),
  );
}
