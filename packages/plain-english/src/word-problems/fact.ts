import type { Expression } from '../arithmetic/expression';

/** A number in a story, with the words around it. */
export interface Fact {
  readonly value: number;
  readonly expression: Expression;
  readonly percent: boolean;
  readonly money: boolean;
  /** What is counted; with what describes it, as in `equal instalments`. */
  readonly units: readonly string[];
  /** Set for a rate: the thing that one of has so much, or `each`. */
  readonly per?: string;
  /** Words since the mark, the `and` or the fact before. */
  readonly before: readonly string[];
  /** Words up to the next mark or fact. */
  readonly after: readonly string[];
}
