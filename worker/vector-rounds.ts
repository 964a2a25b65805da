import { setTimeout as delay } from 'node:timers/promises';
import type { RelayedVectors } from '../src/memory/vectors/vector-relay';

export interface VectorRoundsPorts {
  /** Resolves with undefined if vectors are not moved to an index. */
  readonly round: (signal: AbortSignal) => Promise<RelayedVectors | undefined>;
  /** Pause between two rounds while more vectors are pending, ms. The index needs it to show what was written. */
  readonly pauseMs: number;
}

/**
 * Repeats the round while each is full and the index keeps up. It ends after two rounds in which nothing was done,
 * because it would only write the same vectors again.
 * @returns how many vectors the graph has released
 */
export async function runVectorRounds(
  { round, pauseMs }: VectorRoundsPorts,
  signal: AbortSignal,
): Promise<number> {
  let released = 0;
  for (let idle = 0; idle < 2; await delay(pauseMs, undefined, { signal, ref: false })) {
    const moved = await round(signal);
    if (moved === undefined) break;
    released += moved.released;
    if (!moved.isFull) break;
    idle = moved.released + moved.removed === 0 ? idle + 1 : 0;
  }
  return released;
}
