/** Returns the value at a point and writes the gradient there. */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

interface Step {
  readonly move: Float64Array;
  readonly change: Float64Array;
  readonly rho: number;
}

const MEMORY = 8;
const TOLERANCE = 1e-7;

/**
 * Limited-memory BFGS with backtracking to the Armijo condition (Nocedal and Wright, Numerical Optimization, 2nd
 * edition, algorithms 7.4 and 7.5), from zero. Deterministic.
 */
export function minimise(objective: Objective, size: number, iterations: number): Float64Array {
  let point: Float64Array = new Float64Array(size);
  let gradient: Float64Array = new Float64Array(size);
  let value = objective(point, gradient);
  const steps: Step[] = [];
  for (let round = 0; round < iterations; round += 1) {
    const direction = twoLoop(gradient, steps);
    const slope = dot(direction, gradient);
    let length = steps.length === 0 ? 1 / Math.max(1e-12, Math.sqrt(dot(gradient, gradient))) : 1;
    let next = point;
    let nextGradient = gradient;
    let nextValue = Infinity;
    for (let tries = 0; tries < 30 && !(nextValue <= value + 1e-4 * length * slope); tries += 1) {
      if (tries > 0) length /= 2;
      next = combine(point, direction, length);
      nextGradient = new Float64Array(size);
      nextValue = objective(next, nextGradient);
    }
    if (!(nextValue < value)) break;
    const move = combine(next, point, -1);
    const change = combine(nextGradient, gradient, -1);
    const curvature = dot(move, change);
    if (curvature > 1e-12) steps.push({ move, change, rho: 1 / curvature });
    if (steps.length > MEMORY) steps.shift();
    const gain = value - nextValue;
    [point, gradient, value] = [next, nextGradient, nextValue];
    if (gain < TOLERANCE * Math.max(1, Math.abs(value))) break;
  }
  return point;
}

function twoLoop(gradient: Float64Array, steps: readonly Step[]): Float64Array {
  let direction = combine(gradient, gradient, -2);
  const alphas: number[] = [];
  for (const { move, change, rho } of [...steps].reverse()) {
    const alpha = rho * dot(move, direction);
    alphas.push(alpha);
    direction = combine(direction, change, -alpha);
  }
  const last = steps.at(-1);
  if (last !== undefined) {
    const scale = 1 / (last.rho * dot(last.change, last.change));
    direction = direction.map((item) => item * scale);
  }
  for (const { move, change, rho } of steps) {
    const beta = rho * dot(change, direction);
    direction = combine(direction, move, (alphas.pop() ?? 0) - beta);
  }
  return direction;
}

function dot(one: Float64Array, two: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] as number) * (two[at] as number);
  return sum;
}

/** one + factor · two */
function combine(one: Float64Array, two: Float64Array, factor: number): Float64Array {
  const out = new Float64Array(one.length);
  for (let at = 0; at < one.length; at += 1) out[at] = (one[at] as number) + factor * (two[at] as number);
  return out;
}
