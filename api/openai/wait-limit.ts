import { HoldfastError } from '../../src/base/errors';
import type { StartedRun } from '../../temporal/runs/started-run';
import type { OpenAiContext, OpenAiPorts } from './ports';

/** How long a request waits for a run that it continues. */
export interface LimitedWait {
  /** Of what follows the run: its signal aborts too when the wait ends while `within` works. */
  readonly context: OpenAiContext;
  /** Waits for work that the signal ends. @returns undefined if the wait has ended before; @throws as the work does */
  within<T>(work: Promise<T>): Promise<T | undefined>;
}

/** Begins the wait of a request: up to WAIT_LIMIT_MS, or what the caller prefers if that is shorter. */
export function limitWait(
  context: OpenAiContext,
  { waitLimitMs }: Pick<OpenAiPorts, 'waitLimitMs'>,
): LimitedWait {
  const until = performance.now() + Math.min(context.waitMs ?? Infinity, waitLimitMs);
  const limit = new AbortController();
  const signal = AbortSignal.any([context.signal(), limit.signal]);
  return {
    context: { ...context, signal: () => signal },
    async within(work) {
      const timer = setTimeout(() => limit.abort(), until - performance.now());
      try {
        return await work;
      } catch (error) {
        if (limit.signal.aborted && !context.signal().aborted) return undefined;
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The error of a request whose wait has ended before its run did. Another one, with the same outputs, waits again. */
export function stillGoing({ runId, workflowId }: StartedRun): HoldfastError {
  const message =
    'The run did not answer within the time that a request waits (WAIT_LIMIT_MS); the run continues';
  return new HoldfastError('RUN_STILL_GOING', message, {
    details: { traceId: runId, workflowId },
    retryable: true,
  });
}
