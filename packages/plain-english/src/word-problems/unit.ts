import { isOpen, relate } from './units';

/** The unit of an amount: what stands above and below the line of a fraction. `4 euros an hour` has one of each. */
export interface Unit {
  readonly of: readonly string[];
  readonly per: readonly string[];
}

export interface Combined {
  readonly unit: Unit;
  /** What the product of the values is multiplied by. */
  readonly ratio: number;
  readonly cost: number;
  /** How many units fell away. */
  readonly cancelled: number;
}

export const inverse = ({ of, per }: Unit): Unit => ({ of: per, per: of });

/** The unit of a product: what stands above in one and below in the other falls away. */
export function multiplyUnits(a: Unit, b: Unit): Combined {
  const first = cancel(a.of, b.per);
  const second = cancel(b.of, a.per);
  return {
    unit: { of: [...first.above, ...second.above], per: [...second.below, ...first.below] },
    ratio: first.ratio * second.ratio,
    cost: first.cost + second.cost,
    cancelled: first.cancelled + second.cancelled,
  };
}

interface Cancelled {
  readonly above: string[];
  readonly below: string[];
  readonly ratio: number;
  readonly cost: number;
  readonly cancelled: number;
}

function cancel(of: readonly string[], per: readonly string[]): Cancelled {
  const [above, below] = [[...of], [...per]];
  let [ratio, cost, cancelled] = [1, 0, 0];
  for (;;) {
    const best = closest(above, below);
    if (!best) return { above, below, ratio, cost, cancelled };
    above.splice(best.a, 1);
    below.splice(best.b, 1);
    ratio *= best.ratio;
    cost += best.cost;
    cancelled++;
  }
}

interface Pair {
  readonly a: number;
  readonly b: number;
  readonly ratio: number;
  readonly cost: number;
}

function closest(above: readonly string[], below: readonly string[]): Pair | undefined {
  let best: Pair | undefined;
  for (const [a, name] of above.entries()) {
    for (const [b, other] of below.entries()) {
      const relation = relate(name, other);
      if (relation && (!best || relation.cost < best.cost)) best = { a, b, ...relation };
    }
  }
  return best;
}

/** How an amount of one unit is one of another; undefined where it is not. */
export function expressIn(
  from: Unit,
  to: Unit,
): { readonly ratio: number; readonly cost: number } | undefined {
  if (from.of.length !== to.of.length || from.per.length !== to.per.length) return undefined;
  const above = cancel(from.of, to.of);
  const below = cancel(to.per, from.per);
  if (above.cancelled !== from.of.length || below.cancelled !== from.per.length) return undefined;
  return { ratio: above.ratio * below.ratio, cost: above.cost + below.cost };
}

/** The more precise of two units that are the same kind. */
export function clearer(a: Unit, b: Unit): Unit {
  return [...a.of, ...a.per].some(isOpen) ? b : a;
}
