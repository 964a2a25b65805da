import { setTimeout as delay } from 'node:timers/promises';

export interface FullRoundsPorts {
  /** @returns how many things it removed */
  readonly round: () => Promise<number>;
  /** As many as one round may remove: where it did, more may be left. */
  readonly full: number;
  /** Least pause between two rounds, milliseconds. A longer round is followed by a pause as long as itself. */
  readonly pauseMs: number;
}

/**
 * Makes rounds for as long as each is full, so that a backlog of any size is worked off. Between them it leaves the store to
 * others for as long as it has used it.
 * @returns how many things were removed
 */
export async function fullRounds(
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
