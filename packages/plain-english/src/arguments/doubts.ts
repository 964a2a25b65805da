import { meanGain, type Fitting } from './fit';
import type { Candidate } from './view';
import { weigh, type Measures } from './weights';

/** Past these a further value or one more found in the same way says no more. */
const MAX_COUNT = 4;
/** Where the logarithm of a probability is cut off. */
const MIN_CERTAINTY = -6;

/** How each chosen value of a closed set was found, since some ways mislead more often than their weights say. */
function waysOfChosen(chosen: readonly Candidate[]): Measures {
  const ways = chosen
    .flatMap(({ features }) => features)
    .filter((one) => /^(?:likeness|named \d of|labelled switch|switch)/.test(one));
  return Object.fromEntries(
    ways.map((way) => [way, Math.min(MAX_COUNT, ways.filter((one) => one === way).length)]),
  );
}

/** What speaks for the values of a call and against them. */
export function doubtsOf({ extraction, unplaced }: Fitting, share: number): Measures {
  const { chosen, certainty, margin } = extraction;
  const optional = chosen.filter(({ slot }) => !slot.parameter.required).length;
  return {
    bias: 1,
    likely: Math.max(MIN_CERTAINTY, share + certainty),
    margin,
    'mean gain': meanGain(extraction),
    optional: Math.min(MAX_COUNT, optional),
    unplaced: unplaced === undefined ? 0 : 1,
    ...waysOfChosen(chosen),
  };
}

/**
 * The logarithm of the probability that a call is meant and that all its values are right.
 * @param share the logarithm of the tool's share among the tools that are offered
 */
export function sureness(fitting: Fitting, share: number): number {
  return -Math.log1p(Math.exp(-weigh('sure', doubtsOf(fitting, share))));
}
