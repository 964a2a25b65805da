/** The time limit of one piece of work, including all of its parts. */
export interface TimeLimit {
  /** Aborts with the caller's signal and its reason, or at the deadline. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline. */
  timeLeftMs(): number;
  /** Releases the timer and the caller's signal. */
  end(): void;
}

export interface TimeLimitOptions {
  /** The caller's own cancellation. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Creates the reason of the abort at the deadline. */
  timedOut(): Error;
}

/** Starts a time limit, which counts at once. The caller has to call `end`. */
export function startTimeLimit({ signal, timeoutMs, timedOut }: TimeLimitOptions): TimeLimit {
  const controller = new AbortController();
  const deadline = performance.now() + timeoutMs;
  const timer = setTimeout(() => controller.abort(timedOut()), Math.max(0, timeoutMs));
  const cancel = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  return {
    signal: controller.signal,
    timeLeftMs: () => deadline - performance.now(),
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    },
  };
}
