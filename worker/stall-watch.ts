/**
 * Time between two looks at the thread. Each look at the same activation adds this much to its time and never more,
 * because an activation is not to blame for time in which the whole process is stopped, and there are no looks then.
 */
export const LOOK_EVERY_MS = 250;
/**
 * After this time the server has scheduled the task again (`workflowTaskTimeout`) and ignores the answer of the
 * stalled thread.
 */
export const STALL_MS = 3_000;

export interface StallWatchOptions {
  /** The array that `noteActivations` sets. */
  readonly serial: Int32Array;
  /**
   * How long the thread has waited for a processor in all, ms. Time of a busy machine does not count as the
   * activation's own.
   */
  readonly waitedMs: () => number;
  /**
   * Called at each look at an activation that has taken STALL_MS or longer. `ms` is the activation's own time,
   * without waits for a processor, since the previous such call, and since its start at the first one.
   */
  readonly onLost: (serial: number, ms: number) => void;
}

/**
 * Watches for activations that take too long, while they are executed. The watch keeps no process alive.
 * @returns a function that ends the watch
 */
export function watchStalls({ serial, waitedMs, onLost }: StallWatchOptions): () => void {
  let seen = 0;
  let lastedMs = 0;
  let unreportedMs = 0;
  let waitedBefore = 0;
  const look = (): void => {
    const now = Atomics.load(serial, 0);
    if (now === 0 && seen === 0) return;
    const waited = now === 0 ? 0 : waitedMs();
    if (now === seen) {
      lastedMs += LOOK_EVERY_MS;
      unreportedMs += Math.max(0, LOOK_EVERY_MS - (waited - waitedBefore));
    } else {
      seen = now;
      lastedMs = 0;
      unreportedMs = 0;
    }
    waitedBefore = waited;
    if (lastedMs < STALL_MS) return;
    onLost(now, unreportedMs);
    unreportedMs = 0;
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}
