import { setTimeout as delay } from 'node:timers/promises';
import type { RelayedVectors } from '../src/memory/vectors/vector-relay';

export interface VectorRoundsPorts {
  /** Undefined where vectors stay where they are. */
  readonly round: (signal: AbortSignal) => Promise<RelayedVectors | undefined>;
  /** From one round to the next while more are waiting: time for the index to show what was put, milliseconds. */
  readonly pauseMs: number;
}

/**
 * Makes rounds for as long as each is full and the index goes along. Two rounds without anything done end it: putting
 * the same vectors over and over helps nobody.
 * @returns how many vectors the graph let go of
 */
export async function vectorRounds(
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
