const TICK_MS = 20;
/** What is shorter is how a busy process works. */
const HOLD_UP_MS = 100;

/** How the event loop was held up since this was taken last. */
export interface HoldUps {
  /** The longest wait of a timer beyond its time, milliseconds. */
  readonly longestMs: number;
  /** The sum of the hold-ups of 100 ms or more. */
  readonly inAllMs: number;
}

/** Watches by a timer how late the event loop comes to what is due; keeps no process alive. */
export function watchLoop(): { take(): HoldUps; end(): void } {
  let longestMs = 0;
  let inAllMs = 0;
  let due = performance.now() + TICK_MS;
  const timer = setInterval(look, TICK_MS).unref();

  function look(): void {
    const now = performance.now();
    const lateMs = now - due;
    longestMs = Math.max(longestMs, lateMs);
    if (lateMs >= HOLD_UP_MS) inAllMs += lateMs;
    due = now + TICK_MS;
  }

  return {
    take() {
      // Its own timer may not have had its turn yet after a hold-up.
      if (performance.now() > due) look();
      const taken = { longestMs, inAllMs };
      longestMs = 0;
      inAllMs = 0;
      return taken;
    },
    end: () => clearInterval(timer),
  };
}
