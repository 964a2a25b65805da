import calibrationPairs from './calibration-pairs.json';
import { cosine } from './vectors';

/** A logistic curve from cosine to relevance. */
export interface Calibration {
  /** A number above 0, so that relevance rises with the cosine. */
  readonly slope: number;
  readonly intercept: number;
}

/** Pairs of a query and a memory: `related` memories answer their query, and `unrelated` ones do not. */
interface CalibrationPairs {
  readonly related: readonly (readonly string[])[];
  readonly unrelated: readonly (readonly string[])[];
}

interface Sample {
  readonly cosine: number;
  /** The target probability, 0 to 1. */
  readonly target: number;
}

const PAIRS: CalibrationPairs = calibrationPairs;
const MAX_STEPS = 50;
const PRECISION = 1e-9;
/** The regularisation, without which the curve would become a step if the two groups do not overlap. */
const RIDGE = 1e-3;

/** Converts a cosine to relevance, 0 to 1. */
export function applyCalibration({ slope, intercept }: Calibration, cosineValue: number): number {
  return 1 / (1 + Math.exp(-(slope * cosineValue + intercept)));
}

/** The cosine to which a calibration gives the relevance `relevance`, which must be above 0 and below 1. */
export function cosineAt({ slope, intercept }: Calibration, relevance: number): number {
  return (Math.log(relevance / (1 - relevance)) - intercept) / slope;
}

/** Measures an embedder on the built-in pairs. Undefined if its cosines do not separate related from unrelated pairs. */
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
 * outputs for support vector machines" (1999). Undefined if the cosines do not separate the two groups.
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

/** Makes one step of Newton's method, which it halves as long as the step overshoots. */
function improve(samples: readonly Sample[], current: Calibration): Calibration {
  const step = newtonStep(samples, current);
  const before = computeLoss(samples, current);
  for (let share = 1; share > PRECISION; share /= 2) {
    const next = {
      slope: current.slope + share * step.slope,
      intercept: current.intercept + share * step.intercept,
    };
    if (computeLoss(samples, next) <= before) return next;
  }
  return current;
}

/** Computes the negative log likelihood, with the regularisation. */
function computeLoss(samples: readonly Sample[], { slope, intercept }: Calibration): number {
  return samples.reduce(
    (loss, { cosine: value, target }) => {
      const logit = slope * value + intercept;
      // This computes log(1 + exp(x)) without overflow.
      return loss + Math.max(logit, 0) + Math.log1p(Math.exp(-Math.abs(logit))) - target * logit;
    },
    (RIDGE / 2) * (slope * slope + intercept * intercept),
  );
}

/** The step of Newton's method for slope and intercept: the gradient times the inverse of the Hessian. */
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
