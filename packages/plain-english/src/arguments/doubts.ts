import type { Extraction } from './extract';
import { unexplainedIn } from './remainder';
import type { Kind } from './slots';
import learned from './weights.json';

/** Kinds of values that any words may be. */
const OPEN: readonly Kind[] = ['prose', 'title', 'thing', 'person', 'place'];
/** Past so many a further word without a place says no more. */
const MAX_WORDS = 4;
/** Where the logarithm of a probability is cut off. */
const MIN_CERTAINTY = -6;

const WEIGHTS: Readonly<Record<string, number>> = learned.sure;

/** What speaks for the values of a call and against them: each word of the text has to have a place. */
export function doubtsOf(extraction: Extraction): Readonly<Record<string, number>> {
  const { view, chosen, args, certainty } = extraction;
  const words = unexplainedIn(extraction);
  const isOpen = view.slots.some(
    ({ name, kinds }) => args[name] === undefined && OPEN.some((kind) => kinds.has(kind)),
  );
  const texts = chosen.filter(({ slot }) => OPEN.some((kind) => slot.kinds.has(kind)));
  const beside = words.filter((at) => texts.some(({ from, to }) => at === from - 1 || at === to));
  const count = Math.min(MAX_WORDS, words.length);
  return {
    bias: 1,
    certainty: Math.max(MIN_CERTAINTY, certainty),
    words: count,
    'words without place': isOpen ? count : 0,
    'first without place': isOpen && count > 0 ? 1 : 0,
    beside: Math.min(2, beside.length),
  };
}

/** The logarithm of the probability that all values of a call are right. */
export function sureness(extraction: Extraction): number {
  const doubts = Object.entries(doubtsOf(extraction));
  const odds = doubts.reduce((sum, [name, value]) => sum + (WEIGHTS[name] ?? 0) * value, 0);
  return -Math.log1p(Math.exp(-odds));
}
