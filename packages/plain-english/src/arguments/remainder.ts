import { isIdLike } from '../text/id-like';
import { isTypoOf } from '../text/edit-distance';
import { stem, wordsOf } from '../text/stem';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { findChoices } from './choices';
import type { Extraction } from './extract';
import { matchShape } from './examples';
import { labelsIn } from './labels';
import { isCapital } from './names';
import { MAX_TOKENS, overlap, type Range } from './spans';
import { isKnownWord, isWeak, meansSame } from './synonyms';
import { stemsOf, valueText, type View } from './view';
import { termsOf } from './tool-terms';

const OF_FORM = new Set(['email', 'url', 'file', 'phone', 'quoted', 'json', 'domain']);

/** What of a text looks like a value, whatever the tool: numbers, dates, names, addresses, quotations, ids. */
function formsIn({ tokens, spans }: View): readonly Range[] {
  const single = tokens
    .slice(0, MAX_TOKENS)
    .flatMap(({ kind, text }, at) =>
      OF_FORM.has(kind) || (kind === 'word' && isIdLike(text)) ? [{ from: at, to: at + 1 }] : [],
    );
  const names = spans.names.filter(
    ({ isJoined, startsSentence, from, to }) => !isJoined && (!startsSentence || to > from + 1),
  );
  const numbers = spans.numbers.filter(({ isOfName }) => !isOfName);
  return [...single, ...numbers, ...spans.temporals, ...names];
}

/**
 * What a text gives and no parameter takes, though it looks like a value, or speaks of a parameter that has none. A call
 * without it would do less than is asked for.
 */
export function findUnplaced(extraction: Extraction): string | undefined {
  const { view } = extraction;
  const ranges = explained(extraction);
  // `Swiss francs`: a name next to a choice belongs to it.
  const isOpen = (range: Range): boolean =>
    !ranges.some((one) => overlap(one, range)) &&
    !extraction.chosen.some(({ slot, from }) => slot.kinds.has('choice') && from === range.to);
  const form = formsIn(view).find(
    (range) => isOpen(range) && !isOwnName(view, range) && !isAside(extraction, range),
  );
  if (form) return valueText(view, form);
  return furtherChoice(extraction, isOpen) ?? openParameter(extraction, isOpen);
}

function explained({ chosen }: Extraction): readonly Range[] {
  return chosen.flatMap((one) => [one, ...(one.explains ? [one.explains] : [])]);
}

/** `My colleague Tom says hello. Please open …`: a sentence before the request that gives nothing. */
function isAside({ view: { tokens }, chosen }: Extraction, range: Range): boolean {
  const isEnd = (at: number): boolean =>
    /^[.!?]$/.test(tokens[at]?.text ?? '') && tokens[at + 1]?.start !== tokens[at]?.end;
  let { from, to } = range;
  while (from > 0 && !isEnd(from - 1)) from--;
  while (to < tokens.length && !isEnd(to)) to++;
  const opens = /^(?:my|our|i|we|he|she|they|it|the)$/.test(tokens[from]?.lower ?? '');
  return opens && to < tokens.length && !chosen.some((one) => overlap(one, { from, to }));
}

/** Words with capitals that the tool itself is about, or that begin a sentence: `Print` is not a name. */
function isOwnName(view: View, { from, to }: Range): boolean {
  const { name, description } = termsOf(view.tool);
  return view.tokens.slice(from, to).every((token) => {
    const one = stem(token.lower);
    return (
      isCapital(token) &&
      (name.includes(one) ||
        description.has(one) ||
        isKnownWord(one) ||
        STOP_WORDS.has(token.lower) ||
        POLITENESS.has(token.lower) ||
        /^\p{Lu}{1,3}$/u.test(token.text))
    );
  });
}

/** `an oil change and an inspection` where one of the two can be asked for. */
function furtherChoice({ view, args }: Extraction, isOpen: (range: Range) => boolean): string | undefined {
  for (const { name, parameter } of view.slots) {
    if (!parameter.enum || args[name] === undefined) continue;
    const further = findChoices(view.tokens, parameter).find(
      (hit) =>
        hit.likeness === 1 &&
        hit.value !== args[name] &&
        isOpen(hit) &&
        /^(?:and|or|,|&|an?|the)$/.test(view.tokens[hit.from - 1]?.lower ?? ''),
    );
    if (further) return valueText(view, further);
  }
  return undefined;
}

/** A parameter that the text speaks of by a word of its own, and that has no value. */
function openParameter({ view, args }: Extraction, isOpen: (range: Range) => boolean): string | undefined {
  const slots = view.slots.filter(({ name, parameter }) => args[name] === undefined && !parameter.required);
  for (const [at, token] of view.tokens.slice(0, MAX_TOKENS).entries()) {
    if (token.kind !== 'word' || !isOpen({ from: at, to: at + 1 })) continue;
    const isOf = slots.some(({ own, nameStems }) =>
      stemsOf(token).some((one) => own.has(one) && nameStems.has(one)),
    );
    if (isOf) return token.text;
  }
  return undefined;
}

/** What the values in a text say for a tool, whatever its words are. */
export interface Evidence {
  /** Values that only a parameter of their kind takes: choices, addresses, numbers, dates, quotations. */
  readonly typed: number;
  /** Of these, those that hardly another tool takes: choices, files, codes of a form. */
  readonly telling: number;
  /** Words that neither a value nor the tool explains. */
  readonly unexplained: number;
}

export function evidenceFor(extraction: Extraction): Evidence {
  const { chosen, view } = extraction;
  const certain = chosen.filter(({ isCertain }) => isCertain);
  const telling = certain.filter(
    ({ slot, from }) =>
      slot.kinds.has('choice') ||
      slot.kinds.has('file') ||
      slot.kinds.has('flag') ||
      matchShape(view.text, from, slot.examples),
  );
  const labels = new Set(
    labelsIn(view)
      .filter(({ strength }) => strength === 3)
      .map(({ slot }) => slot),
  ).size;
  return {
    typed: certain.length,
    telling: telling.length + (labels > 1 ? labels : 0),
    unexplained: unexplainedIn(extraction).length,
  };
}

/** Verbs that stand for any other. */
const NEUTRAL = new Set(['put', 'let', 'want', 'need', 'do']);

/** Tokens that neither a value nor the tool explains. */
export function unexplainedIn(extraction: Extraction): number[] {
  const { view } = extraction;
  const ranges = explained(extraction);
  const { name, description, nameWords, parameters } = termsOf(view.tool);
  const isOpen = ({ kind, lower }: Token, at: number): boolean => {
    if (kind === 'symbol' || ranges.some(({ from, to }) => at >= from && at < to)) return false;
    if (kind !== 'word') return true;
    if (STOP_WORDS.has(lower) || POLITENESS.has(lower) || isWeak(lower) || NEUTRAL.has(lower)) return false;
    const own = stem(lower);
    if (wordsOf(view.tokens[at]?.text ?? '').every((word) => parameters.has(stem(word)))) return false;
    if (parameters.has(own) || description.has(own) || name.includes(own)) return false;
    return !nameWords.some((word) => meansSame(own, stem(word)) || isTypoOf(lower, word));
  };
  return view.tokens.slice(0, MAX_TOKENS).flatMap((token, at) => (isOpen(token, at) ? [at] : []));
}
