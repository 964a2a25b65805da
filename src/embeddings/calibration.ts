import calibrationPairs from './calibration-pairs.json';
import { cosine } from './vectors';

/** A logistic curve from cosine to relevance. */
export interface Calibration {
  /** Above 0, so that relevance rises with the cosine. */
  readonly slope: number;
  readonly intercept: number;
}

/** Queries, each with a memory that answers it or does not. */
interface CalibrationPairs {
  readonly related: readonly (readonly string[])[];
  readonly unrelated: readonly (readonly string[])[];
}

interface Sample {
  readonly cosine: number;
  /** Probability wanted, 0 to 1. */
  readonly target: number;
}

const PAIRS: CalibrationPairs = calibrationPairs;
const MAX_STEPS = 50;
const PRECISION = 1e-9;
/** Keeps the curve from turning into a step where the two groups do not overlap. */
const RIDGE = 1e-3;

/** The relevance of a cosine, 0 to 1. */
export function applyCalibration({ slope, intercept }: Calibration, cosineValue: number): number {
  return 1 / (1 + Math.exp(-(slope * cosineValue + intercept)));
}

/** The cosine that a calibration takes for `relevance`, above 0 and below 1. */
export function cosineAt({ slope, intercept }: Calibration, relevance: number): number {
  return (Math.log(relevance / (1 - relevance)) - intercept) / slope;
}

/**
 * Measures an embedder on the built-in pairs. Undefined where it does not tell related from unrelated ones.
 */
export async function measureCalibration(
  embed: (texts: readonly string[]) => Promise<Float32Array[]>,
): Promise<Calibration | undefined> {
  const texts = [...new Set([...PAIRS.related, ...PAIRS.unrelated].flat())];
  const vectors = await embed(texts);
  const vectorOf = new Map(texts.map((text, at) => [text, vectors[at]]));
  const cosineOf = (pair: readonly string[]): number => {
    const [left, right] = pair.map((text) => vectorOf.get(text));
    if (!left || !right) throw new Error('a calibration pair has no vector');
    return cosine(left, right);
  };
  return fitCalibration(PAIRS.related.map(cosineOf), PAIRS.unrelated.map(cosineOf));
}

/**
 * Fits the curve by maximum likelihood (Newton's method), with the softened targets of Platt, "Probabilistic
 * outputs for support vector machines" (1999). Undefined where cosines do not tell the two groups apart.
 */
export function fitCalibration(
  related: readonly number[],
  unrelated: readonly number[],
): Calibration | undefined {
  const samples = [
    ...related.map((value) => ({ cosine: value, target: (related.length + 1) / (related.length + 2) })),
    ...unrelated.map((value) => ({ cosine: value, target: 1 / (unrelated.length + 2) })),
  ];
  let fitted: Calibration = { slope: 0, intercept: 0 };
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next = improve(samples, fitted);
    const change = Math.abs(next.slope - fitted.slope) + Math.abs(next.intercept - fitted.intercept);
    fitted = next;
    if (change < PRECISION) break;
  }
  return fitted.slope > 0 && Number.isFinite(fitted.intercept) ? fitted : undefined;
}

/** One step of Newton's method, halved for as long as it overshoots. */
function improve(samples: readonly Sample[], current: Calibration): Calibration {
  const step = newtonStep(samples, current);
  const before = lossOf(samples, current);
  for (let share = 1; share > PRECISION; share /= 2) {
    const next = {
      slope: current.slope + share * step.slope,
      intercept: current.intercept + share * step.intercept,
    };
    if (lossOf(samples, next) <= before) return next;
  }
  return current;
}

/** The negative log likelihood, with the ridge. */
function lossOf(samples: readonly Sample[], { slope, intercept }: Calibration): number {
  return samples.reduce(
    (loss, { cosine: value, target }) => {
      const logit = slope * value + intercept;
      // log(1 + exp(x)) without overflow.
      return loss + Math.max(logit, 0) + Math.log1p(Math.exp(-Math.abs(logit))) - target * logit;
    },
    (RIDGE / 2) * (slope * slope + intercept * intercept),
  );
}

/** What Newton's method adds to slope and intercept: the gradient times the inverse of the Hessian. */
function newtonStep(samples: readonly Sample[], current: Calibration): Calibration {
  let bySlope = -RIDGE * current.slope;
  let byIntercept = -RIDGE * current.intercept;
  let slopeSlope = RIDGE;
  let slopeIntercept = 0;
  let interceptIntercept = RIDGE;
  for (const { cosine: value, target } of samples) {
    const predicted = applyCalibration(current, value);
    const weight = predicted * (1 - predicted);
    bySlope += (target - predicted) * value;
    byIntercept += target - predicted;
    slopeSlope += weight * value * value;
    slopeIntercept += weight * value;
    interceptIntercept += weight;
  }
  const determinant = slopeSlope * interceptIntercept - slopeIntercept * slopeIntercept;
  return {
    slope: (interceptIntercept * bySlope - slopeIntercept * byIntercept) / determinant,
    intercept: (slopeSlope * byIntercept - slopeIntercept * bySlope) / determinant,
  };
}
