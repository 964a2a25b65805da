/** Numbers by name: what a candidate is like. A name that is absent counts as 0. */
export type Features = Map<string, number>;

/** One number for each name of a feature. */
export type Weights = Readonly<Record<string, number>>;

/** Adds a feature, unless it is 0. */
export function put(features: Features, name: string, value: number | boolean): void {
  if (value) features.set(name, Number(value));
}

/** Keeps the largest of the values of a feature. */
export function putMax(features: Features, name: string, value: number): void {
  if (value > (features.get(name) ?? 0)) features.set(name, value);
}

export function scoreOf(features: Features, weights: Weights): number {
  let sum = 0;
  for (const [name, value] of features) sum += (weights[name] ?? 0) * value;
  return sum;
}

/** The weight that every candidate of a share has. */
export const BIAS = 'bias';

/** The logistic share, 0 to 1, of a candidate by itself. */
export function shareOf(features: Features, weights: Weights): number {
  return 1 / (1 + Math.exp(-scoreOf(features, weights) - (weights[BIAS] ?? 0)));
}

/** How many members two sets share. */
export function common<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): number {
  let count = 0;
  for (const each of one) if (other.has(each)) count++;
  return count;
}
