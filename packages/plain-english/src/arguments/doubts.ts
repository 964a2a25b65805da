import type { Fitting } from './fit';
import type { Candidate } from './view';
import { unexplainedIn } from './remainder';
import type { Kind } from './slots';
import { weigh, type Measures } from './weights';

/** Kinds of values that any words may be. */
const OPEN: readonly Kind[] = ['prose', 'title', 'thing', 'person', 'place'];
/** Past so many a further word without a place says no more. */
const MAX_WORDS = 4;
/** Where the logarithm of a probability is cut off. */
const MIN_CERTAINTY = -6;

/** How each chosen value was found, since some ways mislead more often than their weights say. */
function kindsOfChosen(chosen: readonly Candidate[]): Measures {
  const counts: Record<string, number> = {};
  for (const one of chosen)
    for (const name of waysOf(one)) counts[name] = Math.min(MAX_WORDS, (counts[name] ?? 0) + 1);
  return counts;
}

function waysOf({ slot, features }: Candidate): readonly string[] {
  const ways = features.filter((one) => /^(?:likeness|named \d of|labelled switch|switch)/.test(one));
  if (ways.length > 0 && (slot.kinds.has('choice') || slot.kinds.has('flag'))) return ways;
  const [kind = ''] = slot.kinds;
  const isMarked = features.some((one) => /^(?:quoted|label [23]|form|example|shape code)/.test(one));
  return OPEN.some((one) => slot.kinds.has(one)) && !isMarked ? [`open ${kind}`] : [];
}

/** What speaks for the values of a call and against them: each word of the text has to have a place. */
export function doubtsOf({ extraction, unplaced, evidence }: Fitting, share: number): Measures {
  const { view, chosen, args, certainty, missing } = extraction;
  const words = unexplainedIn(extraction);
  const isOpen = view.slots.some(
    ({ name, kinds }) => args[name] === undefined && OPEN.some((kind) => kinds.has(kind)),
  );
  const texts = chosen.filter(({ slot }) => OPEN.some((kind) => slot.kinds.has(kind)));
  const beside = words.filter((at) => texts.some(({ from, to }) => at === from - 1 || at === to));
  const count = Math.min(MAX_WORDS, words.length);
  return {
    bias: 1,
    share: Math.max(MIN_CERTAINTY, share),
    unplaced: unplaced === undefined ? 0 : 1,
    missing: missing === undefined ? 0 : 1,
    typed: Math.min(MAX_WORDS, evidence.typed),
    'open values': Math.min(MAX_WORDS, texts.length),
    optional: Math.min(MAX_WORDS, chosen.filter(({ slot }) => !slot.parameter.required).length),
    certainty: Math.max(MIN_CERTAINTY, certainty),
    words: count,
    'words without place': isOpen ? count : 0,
    'first without place': isOpen && count > 0 ? 1 : 0,
    beside: Math.min(2, beside.length),
    ...kindsOfChosen(chosen),
  };
}

/**
 * The logarithm of the probability that a call is meant and that all its values are right.
 * @param share the logarithm of the tool's share among the tools that are offered
 */
export function sureness(fitting: Fitting, share: number): number {
  return -Math.log1p(Math.exp(-weigh('sure', doubtsOf(fitting, share))));
}
