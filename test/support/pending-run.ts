import type { Engine } from '../../temporal/engine';
import type { RunLookup, RunReference } from '../../temporal/runs/run-lookup';

export const scope: RunLookup = {
  owner: { tenant: 'default' },
  taskQueue: 'q',
  workflowTypes: new Set(['executeTool']),
  admit: () => Promise.resolve(),
  toData: (_, result) => Promise.resolve(result),
};

export interface PendingRun {
  readonly engine: Engine;
  readonly reference: RunReference;
  /** How often the server was asked for the end of the run. */
  polls(): number;
}

/** An engine with one open run. @param poll what the server answers to a request that waits for the end */
export function pendingRun(poll: () => Promise<unknown>): PendingRun {
  let count = 0;
  const run = {
    workflowId: 'w',
    runId: 'r',
    type: 'executeTool',
    taskQueue: 'q',
    status: { name: 'RUNNING' },
    startTime: new Date(0),
    raw: {},
  };
  const connection = {
    native: { withDeadline: (_: number, call: () => unknown) => call() },
    namespace: 'n',
    client: {
      workflow: { getHandle: () => ({ describe: () => Promise.resolve(run) }) },
      workflowService: {
        getWorkflowExecutionHistory: () => {
          count += 1;
          return poll();
        },
      },
    },
  };
  return {
    engine: { address: 'here:1', current: () => connection } as unknown as Engine,
    reference: { traceId: 'r', workflowId: 'w' },
    polls: () => count,
  };
}
