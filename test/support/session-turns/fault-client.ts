import type { ErrorCode } from '../../../src/base/error-codes';
import { HoldfastError } from '../../../src/base/errors';
import type { RunClient, RunRequest } from '../../../temporal/runs/run-client';
import type { StartedRun } from '../../../temporal/runs/started-run';

/** How the start of a run fails. */
export type StartFault =
  | { readonly type: 'refused'; readonly code: ErrorCode }
  /** The start fails with `ENGINE_UNAVAILABLE`. */
  | { readonly type: 'unknown'; readonly isStarted: boolean }
  /** The start is never answered. */
  | { readonly type: 'killed'; readonly isStarted: boolean };

export interface FaultClientPorts {
  readonly runs: RunClient;
  /** The faults by request id. */
  readonly faults: ReadonlyMap<string, StartFault>;
  /** Called for each run that the engine has. */
  readonly onStarted: (run: StartedRun) => void;
  /** Called instead of a start that is never made. */
  readonly onLost: (workflowId: string) => void;
}

/** A client on the real engine that fails as the test requires. */
export function createFaultClient({ runs, faults, onStarted, onLost }: FaultClientPorts): RunClient {
  /** Starts a run without waiting for it. */
  const startAlone = (request: RunRequest): Promise<void> =>
    new Promise((resolve, reject) => {
      runs
        .execute(request, (run) => {
          onStarted(run);
          resolve();
        })
        .catch(reject);
    });

  return {
    join: (key, noteRun) => runs.join(key, noteRun),
    async execute<R>(request: RunRequest, noteRun: (run: StartedRun) => void): Promise<R> {
      const fault = faults.get(request.requestId);
      if (fault === undefined) {
        return runs.execute<R>(request, (run) => {
          onStarted(run);
          noteRun(run);
        });
      }
      if (fault.type === 'refused') throw new HoldfastError(fault.code, 'the start was refused');
      if (fault.isStarted) await startAlone(request);
      else onLost(request.workflowId);
      if (fault.type === 'killed') return new Promise<never>(() => undefined);
      throw new HoldfastError('ENGINE_UNAVAILABLE', 'the start was not confirmed', { retryable: true });
    },
  };
}
