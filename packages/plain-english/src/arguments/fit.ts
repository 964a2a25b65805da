import type { Extraction } from './extract';
import type { RankedTool } from './rank';
import type { Evidence } from './remainder';
import learned from './weights.json';

/** What a text says for one tool. */
export interface Fitting {
  readonly ranked: RankedTool;
  readonly extraction: Extraction;
  readonly evidence: Evidence;
  /** What looks like a value and is none of the call. */
  readonly unplaced?: string;
}

/** Past these a further value or word says no more. */
const MAX_VALUES = 4;
const MAX_UNEXPLAINED = 8;
/** Where the logarithm of a probability is cut off. */
const MIN_CERTAINTY = -6;

const WEIGHTS: Readonly<Record<string, number>> = learned.tools;

/** How well words and values together fit, by measure. */
export function measuresOf({
  ranked,
  extraction,
  evidence,
  unplaced,
}: Fitting): Readonly<Record<string, number>> {
  const { score, nameCover, leads } = ranked;
  const { chosen, missing, certainty } = extraction;
  return {
    bias: 1,
    score: Math.min(2, score),
    named: nameCover,
    leads: leads ? 1 : 0,
    typed: Math.min(MAX_VALUES, evidence.typed),
    telling: Math.min(MAX_VALUES, evidence.telling),
    choice: chosen.some(({ slot }) => slot.parameter.required && slot.kinds.has('choice')) ? 1 : 0,
    complete: missing === undefined ? 1 : 0,
    unplaced: unplaced === undefined ? 0 : 1,
    unexplained: Math.min(MAX_UNEXPLAINED, evidence.unexplained) / MAX_UNEXPLAINED,
    certainty: Math.max(MIN_CERTAINTY, certainty),
  };
}

/** The logarithm of the odds that the tool is meant, against none. */
export function fitOf(fitting: Fitting): number {
  return Object.entries(measuresOf(fitting)).reduce(
    (sum, [name, value]) => sum + (WEIGHTS[name] ?? 0) * value,
    0,
  );
}
