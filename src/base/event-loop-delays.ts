const TICK_MS = 20;
/** Shorter delays are normal in a busy process. */
const HOLD_UP_MS = 100;

/** The delays of the event loop since the last call of `take`. */
export interface LoopDelays {
  /** The longest delay of a timer, milliseconds. */
  readonly maxMs: number;
  /** The sum of all delays of 100 ms or more, milliseconds. */
  readonly totalMs: number;
}

/** Measures by a timer how late the event loop runs. The timer keeps no process alive. */
export function watchLoop(): { take(): LoopDelays; end(): void } {
  let maxMs = 0;
  let totalMs = 0;
  let due = performance.now() + TICK_MS;
  const timer = setInterval(look, TICK_MS).unref();

  function look(): void {
    const now = performance.now();
    const lateMs = now - due;
    maxMs = Math.max(maxMs, lateMs);
    if (lateMs >= HOLD_UP_MS) totalMs += lateMs;
    due = now + TICK_MS;
  }

  return {
    take() {
      // After a delay the timer itself may not have fired yet.
      if (performance.now() > due) look();
      const taken = { maxMs, totalMs };
      maxMs = 0;
      totalMs = 0;
      return taken;
    },
    end: () => clearInterval(timer),
  };
}
