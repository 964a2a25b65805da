import type { Extraction } from './extract';
import type { Evidence } from './remainder';
import { weigh, type Measures } from './weights';

/** What a text says for one tool. */
export interface Fitting {
  /** What the words of the text say for the tool, against the others that are offered. */
  readonly wording: Measures;
  readonly extraction: Extraction;
  readonly evidence: Evidence;
  /** What looks like a value and does not belong to the call. */
  readonly unplaced?: string;
}

/** Past these a further value or word says no more. */
const MAX_VALUES = 4;
const MAX_UNEXPLAINED = 8;
/** Past these odds values say no more. */
const MAX_GAIN = 12;
/** What says that a number is of the parameter's measure, and that it is of another one. */
const FITTING = new Set(['measure', 'money', 'percent', 'counts name', 'counts own']);
const UNFITTING = new Set(['other measure', 'other money', 'other percent']);
/** Where the logarithm of a probability is cut off. */
const MIN_CERTAINTY = -6;

/** How well words and values together fit, by measure. */
export function measuresOf({ wording, extraction, evidence, unplaced }: Fitting): Measures {
  const { view, chosen, missing, certainty, gain, args } = extraction;
  const features = chosen.flatMap((one) => one.features);
  const lacking = view.slots.filter(
    ({ name, parameter }) => parameter.required && args[name] === undefined,
  ).length;
  return {
    bias: 1,
    ...wording,
    typed: Math.min(MAX_VALUES, evidence.typed),
    telling: Math.min(MAX_VALUES, evidence.telling),
    choice: chosen.some(({ slot }) => slot.parameter.required && slot.kinds.has('choice')) ? 1 : 0,
    complete: missing === undefined ? 1 : 0,
    lacking,
    gain: Math.min(MAX_GAIN, gain),
    'mean gain': meanGain(extraction),
    fitting: Math.min(MAX_VALUES, features.filter((one) => FITTING.has(one)).length),
    unfitting: Math.min(MAX_VALUES, features.filter((one) => UNFITTING.has(one)).length),
    unplaced: unplaced === undefined ? 0 : 1,
    unexplained: Math.min(MAX_UNEXPLAINED, evidence.unexplained) / MAX_UNEXPLAINED,
    certainty: Math.max(MIN_CERTAINTY, certainty),
  };
}

/** How much each value of a call gains against none, by the mean. */
export function meanGain({ chosen, gain }: Extraction): number {
  return Math.min(MAX_GAIN, gain) / Math.max(1, chosen.length);
}

/** The logarithm of the odds that the tool is meant, against none. */
export function fitOf(fitting: Fitting): number {
  return weigh('tools', measuresOf(fitting));
}
