import type { CallContext } from './provider';

/** The time of one call of a provider, over all its requests. */
export interface CallLimit {
  /** Aborts with the caller's signal and its reason, or at the deadline. */
  readonly signal: AbortSignal;
  /** Milliseconds. */
  timeLeftMs(): number;
  /** Lets go of the timer and of the caller's signal. */
  end(): void;
}

/** @param timedOut makes the reason of the abort at the deadline */
export function startLimit({ signal, timeoutMs }: CallContext, timedOut: () => Error): CallLimit {
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
