import { ARTICLES, POLITENESS, PRONOUNS, STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { labelsIn } from './labels';
import { unitOf } from './quantities';
import { isCapital } from './names';
import { plainStem, type Slot } from './slots';
import { MAX_TOKENS, type Range } from './spans';
import { isToolWord, type View } from './view';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const PREPOSITIONS = list(
  'to from in on at for of with by about into regarding near as called titled named that under during around without per via using',
);
const ENDS = list(
  ', . ? ! ; : and then but or - ( ) / is are was were has have had will would can could should needs wants',
);

/** A run of words between punctuation, prepositions and values of another form. */
export interface Chunk extends Range {
  readonly preposition: string;
}

/** The runs of words of a text, without articles before and politeness after them. */
export function chunksOf(view: View): Chunk[] {
  const { tokens } = view;
  const chunks: Chunk[] = [];
  let preposition = '';
  for (let at = 0; at < Math.min(tokens.length, MAX_TOKENS); at++) {
    const { lower = '' } = tokens[at] ?? {};
    if (PREPOSITIONS.has(lower)) preposition = lower;
    else if (ENDS.has(lower) || !isWord(view, at)) preposition = '';
    else {
      let to = at + 1;
      while (
        to < tokens.length &&
        isWord(view, to) &&
        !ENDS.has(tokens[to]?.lower ?? '') &&
        !PREPOSITIONS.has(tokens[to]?.lower ?? '')
      )
        to++;
      const range = trim(tokens, at, to);
      if (range.to > range.from && hasContent(view, range)) chunks.push({ preposition, ...range });
      at = to - 1;
      preposition = '';
    }
  }
  return chunks;
}

/** A word that is part of no number, date or other form. */
function isWord({ tokens, spans }: View, at: number): boolean {
  const kind = tokens[at]?.kind;
  if (kind !== 'word' && kind !== 'dotted') return false;
  // The unit of a number belongs to it.
  const isUnit = spans.numbers.some(({ to }) => to === at) && unitOf(tokens[at]?.lower ?? '') !== undefined;
  return !isUnit && ![...spans.temporals, ...spans.numbers].some(({ from, to }) => at >= from && at < to);
}

function trim(tokens: readonly Token[], start: number, end: number): Range {
  let [from, to] = [start, end];
  const lower = (at: number): string => tokens[at]?.lower ?? '';
  while (
    from < to &&
    (ARTICLES.has(lower(from)) || POLITENESS.has(lower(from)) || /^(?:me|us)$/.test(lower(from)))
  )
    from++;
  while (to > from && (POLITENESS.has(lower(to - 1)) || /^(?:'s|now|me|there|us|again)$/.test(lower(to - 1))))
    to--;
  return { from, to };
}

/** True where some word is more than the tool's own name, politeness or a pointer. */
export function hasContent(view: View, { from, to }: Range): boolean {
  return view.tokens.slice(from, to).some(({ kind, lower, text }, index) => {
    if (kind === 'symbol') return false;
    const isCapital = from + index > 0 && /^\p{Lu}/u.test(text);
    const isEmpty =
      STOP_WORDS.has(lower) || POLITENESS.has(lower) || PRONOUNS.has(lower) || ARTICLES.has(lower);
    return !isEmpty && (isCapital || !isToolWord(view, lower));
  });
}

/** Where a value ends that a label announces. */
export function valueEnd(
  view: View,
  start: number,
  label: { readonly strength: number },
  { kinds }: Slot,
): number {
  const isProse = kinds.has('prose') || kinds.has('title');
  const { tokens } = view;
  if (tokens[start]?.kind === 'quoted') return start + 1;
  let to = start;
  for (; to < tokens.length; to++) {
    const { lower = '', text = '' } = tokens[to] ?? {};
    if (/^[;\n]$/.test(text) || (tokens[to]?.kind === 'quoted' && to > start)) break;
    if (/^[.!?]$/.test(text) && tokens[to + 1]?.start !== tokens[to]?.end) break;
    if (/^[,\-–—/]$/.test(text) && (!isProse || isAbout(view, to + 1))) break;
    if (to > start && isProse && isStrongLabel(view, to)) break;
    const isShort = !kinds.has('prose') && label.strength < 3;
    const isInside = kinds.has('title') && isCapital(tokens[to + 1]);
    if (isShort && to > start && !isInside && (ENDS.has(lower) || PREPOSITIONS.has(lower))) break;
    if (!kinds.has('prose') && to > start && view.spans.temporals.some(({ from }) => from === to)) break;
  }
  while (
    to > start + 1 &&
    /^(?:,|\.|and|with|please|thanks|thx|pls|on|at|for|by|-)$/.test(tokens[to - 1]?.lower ?? '')
  )
    to--;
  return to;
}

/** True where a label, or a word of a parameter's own, follows a comma within a few words. */
function isAbout(view: View, at: number): boolean {
  return (
    labelsIn(view).some(({ from }) => from >= at && from <= at + 2) ||
    [0, 1, 2].some((ahead) =>
      view.slots.some(
        ({ own, kinds }) => kinds.has('flag') && own.has(plainStem(view.tokens[at + ahead]?.lower ?? '')),
      ),
    ) ||
    [0, 1, 2].some((ahead) =>
      view.slots.some(({ parameter }) => parameter.enum?.includes(view.tokens[at + ahead]?.lower ?? '')),
    )
  );
}

export function isStrongLabel(view: View, at: number): boolean {
  const isVerb = /^(?:and|with)$/.test(view.tokens[at - 1]?.lower ?? '');
  return labelsIn(view).some(({ from, strength }) => from === at && (strength === 3 || isVerb));
}
