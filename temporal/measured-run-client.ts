import { isHoldfastError } from '../src/base/errors';
import type { Metrics, WaitOutcome } from '../src/base/metrics';
import type { RunClient } from './run-client';

/** Tells how many requests wait for a run, how long they do, and how it ends. */
export function measuredRunClient(client: RunClient, metrics: Metrics): RunClient {
  if (!metrics.enabled) return client;

  async function measured<R>(workflow: string, wait: () => Promise<R>): Promise<R> {
    const started = performance.now();
    const end = metrics.waitBegins();
    const tell = (outcome: WaitOutcome): void =>
      end({ workflow, outcome, seconds: (performance.now() - started) / 1_000 });
    try {
      const result = await wait();
      tell('completed');
      return result;
    } catch (error) {
      tell(outcomeOf(error));
      throw error;
    }
  }

  return {
    execute: (request, onStarted) => measured(request.workflowType, () => client.execute(request, onStarted)),
    // Its type is not known here, and most keys have no run yet.
    join: (key, onStarted) => client.join(key, onStarted),
  };
}

function outcomeOf(error: unknown): WaitOutcome {
  if (!isHoldfastError(error)) return 'failed';
  if (error.code === 'RUN_STILL_GOING') return 'still_going';
  return error.code === 'ENGINE_UNAVAILABLE' ? 'unavailable' : 'failed';
}
