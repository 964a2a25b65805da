import { isHoldfastError } from '../../src/base/errors';
import type { Metrics, WaitOutcome } from '../../src/base/metrics';
import type { RunClient } from './run-client';

/** Adds metrics to a run client: how many requests wait for a run, for how long, and how the waits end. */
export function measuredRunClient(client: RunClient, metrics: Metrics): RunClient {
  if (!metrics.enabled) return client;

  async function measured<R>(workflow: string, wait: () => Promise<R>): Promise<R> {
    const started = performance.now();
    const end = metrics.waitBegins();
    const record = (outcome: WaitOutcome): void =>
      end({ workflow, outcome, seconds: (performance.now() - started) / 1_000 });
    try {
      const result = await wait();
      record('completed');
      return result;
    } catch (error) {
      record(toOutcome(error));
      throw error;
    }
  }

  return {
    execute: (request, onStarted, waiting) =>
      // A caller that does not wait for the end is no request whose run takes too long.
      waiting?.waitMs === undefined
        ? measured(request.workflowType, () => client.execute(request, onStarted, waiting))
        : client.execute(request, onStarted, waiting),
    // Joining is not measured, because the workflow type is not known here, and most keys have no run yet.
    join: (key, onStarted, waiting) => client.join(key, onStarted, waiting),
  };
}

function toOutcome(error: unknown): WaitOutcome {
  if (!isHoldfastError(error)) return 'failed';
  if (error.code === 'RUN_STILL_GOING') return 'still_going';
  if (error.code === 'RUN_PAUSED') return 'paused';
  return error.code === 'ENGINE_UNAVAILABLE' ? 'unavailable' : 'failed';
}
