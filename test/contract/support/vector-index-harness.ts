import type { VectorEntry, VectorIndex } from '../../../src/stores/memory/vector-index';

/** A place for vectors of `DIMENSIONS` numbers, empty at first, that several indexes share. */
export interface VectorIndexHarness {
  /** Another index on the same data; the harness closes it. */
  connect(): VectorIndex;
  /** Returns once reads see all that was written. */
  settle(): Promise<void>;
  /** Closes all indexes and removes the data. */
  dispose(): Promise<void>;
}

/** What the parts of the suite use. */
export interface VectorIndexUnderTest {
  readonly index: VectorIndex;
  readonly harness: VectorIndexHarness;
}

export const DIMENSIONS = 3;

/** A vector of unit length with the direction given. */
export function unit(...direction: number[]): Float32Array {
  const length = Math.hypot(...direction);
  return Float32Array.from(direction, (value) => value / length);
}

/** An entry. By default it is one of the user "ann" at revision 1. */
export function entry(id: string, given: Partial<VectorEntry> = {}): VectorEntry {
  return {
    id,
    userId: 'ann',
    revision: 1,
    timestamp: 1_700_000_000_000,
    labels: [],
    weight: 0.5,
    values: unit(1, 0, 0),
    ...given,
  };
}
