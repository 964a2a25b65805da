import type { Expression } from '../arithmetic/expression';
import { cleanNumber } from '../text/quantity';
import type { Unit } from './unit';

/** An amount that a story gives, or that was made of some. */
export interface Term {
  readonly value: number;
  readonly expression: Expression;
  readonly unit: Unit;
  readonly sign: -1 | 0 | 1;
  /** Clauses that it was taken from. */
  readonly from: number;
  readonly to: number;
  /** How much had to be assumed. */
  readonly cost: number;
  /** True where it is what lies between two amounts. */
  readonly isDifference: boolean;
  /** True for an amount as the story gives it. */
  readonly isGiven: boolean;
  /** True where it is a sum or a difference. */
  readonly isSum: boolean;
}

/** How amounts of one unit are brought together. */
export interface Joining {
  /** Cost of a sum; undefined where the story asks for none. */
  readonly sum?: number | undefined;
  /** True where amounts of different things may be added. */
  readonly acrossThings: boolean;
  /** The thing of which one is asked about. */
  readonly per: readonly string[];
  /** True where things are counted that no amount names. */
  readonly isCount: boolean;
  /** True where what lies between two amounts is asked for. */
  readonly isApart: boolean;
}

export const FAR = 0.1;

export const clausesApart = (a: Term, b: Term): number =>
  Math.max(0, Math.max(a.from, b.from) - Math.min(a.to, b.to));

/** Where a story takes away and adds, a number without a unit is rarely a factor. */
export const openCost = (cost: number, { sum: known }: Joining): number =>
  known !== undefined && known <= 0.2 && cost >= 0.2 ? 0.3 : 0;

export function merge(
  a: Term,
  b: Term,
  made: Pick<Term, 'value' | 'expression' | 'unit'>,
  cost: number,
  sign = joinedSign(a, b),
  far = FAR,
): Term | undefined {
  if (!Number.isFinite(made.value)) return undefined;
  const distance = clausesApart(a, b);
  return {
    ...made,
    value: cleanNumber(made.value),
    sign,
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
    // `2 adults at 14, parking 6`: sums come last.
    cost:
      a.cost + b.cost + cost + Math.min(distance, 5) * far + (far === FAR && (a.isSum || b.isSum) ? 0.15 : 0),
    isDifference: a.isDifference || b.isDifference,
    isGiven: false,
    isSum: far !== FAR,
  };
}

export const joinedSign = (a: Term, b: Term): Term['sign'] =>
  a.sign < 0 || b.sign < 0 ? -1 : a.sign > 0 || b.sign > 0 ? 1 : 0;

export const isPlain = ({ unit }: Term): boolean => unit.of.length > 0 && unit.per.length === 0;

/** A number of times: `three times a day`, `40 lengths`. */
export const isBare = ({ unit }: Term): boolean => unit.of.length === 0 && unit.per.length === 0;
