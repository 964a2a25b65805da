import { type Expression, numberOf } from '../arithmetic/expression';
import type { Unit } from './unit';

/** A number in a story. */
export interface Fact {
  readonly value: number;
  readonly expression: Expression;
  /** True for a part of something else: `20%`, `a quarter of`. The value is 0.2. */
  readonly isShare: boolean;
  readonly unit: Unit;
  /** True where one thing of several is named as in `a coat costs 75`: a rate only where coats are counted. */
  readonly isSingle: boolean;
  readonly clause: number;
  /** Words since the mark or number before. */
  readonly before: string;
  /** Words up to the next mark or number. */
  readonly after: string;
  /** Number of its item. */
  readonly at: number;
}

/** An amount by itself, with nothing said around it. */
export const plainFact = (value: number, unit: Unit): Fact => ({
  value,
  expression: numberOf(value),
  isShare: false,
  unit,
  isSingle: false,
  clause: 0,
  before: '',
  after: '',
  at: 0,
});

/** The names of all that the unit of an amount is made of. */
export const namesOf = ({ unit }: Fact): readonly string[] => [...unit.of, ...unit.per];
