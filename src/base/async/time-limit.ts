/** The time of one piece of work, over all that it is made of. */
export interface TimeLimit {
  /** Aborts with the caller's signal and its reason, or at the deadline. */
  readonly signal: AbortSignal;
  /** Milliseconds. */
  timeLeftMs(): number;
  /** Lets go of the timer and of the caller's signal. */
  end(): void;
}

export interface TimeLimitOptions {
  /** The caller's own cancellation. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Makes the reason of the abort at the deadline. */
  timedOut(): Error;
}

/** Begins to count at once. Whoever starts a limit ends it. */
export function startTimeLimit({ signal, timeoutMs, timedOut }: TimeLimitOptions): TimeLimit {
  const controller = new AbortController();
  const deadline = performance.now() + timeoutMs;
  const timer = setTimeout(() => controller.abort(timedOut()), timeoutMs);
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
