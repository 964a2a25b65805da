import { setTimeout as delay } from 'node:timers/promises';

export interface FullRoundsPorts {
  /** @returns how many items it removed */
  readonly round: () => Promise<number>;
  /** How many items one round can remove at most. A round that removes as many may have left more. */
  readonly full: number;
  /** Shortest pause between two rounds, ms. A round that takes longer is followed by a pause as long as itself. */
  readonly pauseMs: number;
}

/**
 * Repeats the round while each is full, so that a backlog of any size is removed. The pauses leave the store to other
 * callers for at least as long as the rounds have used it.
 * @returns how many items were removed
 */
export async function runFullRounds(
  { round, full, pauseMs }: FullRoundsPorts,
  signal: AbortSignal,
): Promise<number> {
  let all = 0;
  while (!signal.aborted) {
    const began = performance.now();
    const removed = await round();
    all += removed;
    if (removed < full) break;
    const used = performance.now() - began;
    await delay(Math.max(pauseMs, used), undefined, { signal, ref: false }).catch(() => undefined);
  }
  return all;
}
