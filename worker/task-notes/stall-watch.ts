/**
 * From one look to the next. Each look at the same activation adds this much and never more: while the whole process is
 * stopped there are no looks, and no activation is to blame.
 */
export const LOOK_EVERY_MS = 250;
/** The server has given the task to the queue again by then (`workflowTaskTimeout`), so its answer would come to nothing. */
export const STALL_MS = 3_000;

export interface StallWatchOptions {
  /** As `noteActivations` sets it. */
  readonly serial: Int32Array;
  /** How long the thread has waited for a processor in all, ms: what a busy machine does to it is not its own doing. */
  readonly waitedMs: () => number;
  /**
   * Called at each look at an activation that has taken STALL_MS or longer, with how much more of its time was its own
   * doing, ms; at the first such look with all of it.
   */
  readonly onLost: (serial: number, ms: number) => void;
}

/** Watches for activations that take too long, while they are executed. Keeps no process alive. @returns ends the watch */
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
