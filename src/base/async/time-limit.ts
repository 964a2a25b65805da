const LATE = Symbol('late');

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

/**
 * Resolves as `work` does, or with the result of `late`, by default undefined, once `limitMs` milliseconds have passed, at once
 * if that is negative. `late` may throw. Work that is late continues in the background, and its later failure is not reported as an unhandled rejection.
 */
export async function withinTime<T, L = undefined>(
  work: Promise<T>,
  limitMs: number,
  late: () => L = () => undefined as L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), Math.max(0, limitMs));
  });
  try {
    // The race also handles a later rejection of `work`.
    const first = await Promise.race([work, limit]);
    return first === LATE ? late() : first;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Resolves as `work` does, or rejects with the signal's reason as soon as it is aborted. It is needed because a name
 * lookup and a connection attempt cannot be interrupted: after the abort `work` continues in the background.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    // The race also handles a later rejection of the other promise, so Node.js reports none as unhandled.
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Computes a random wait before the next try: between 0 and a bound that doubles with each try, up to `maxMs`
 * milliseconds. Random waits keep processes that collided once from colliding again ("full jitter": Brooker,
 * "Exponential Backoff And Jitter", 2015).
 * @param tries number of failed tries, from 1
 */
export function backOffMs(tries: number, maxMs: number): number {
  return Math.random() * Math.min(2 ** tries, maxMs);
}
