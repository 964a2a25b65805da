import type { Scenario } from './scenario';

/** The task queue of a worker that is no part of the service. */
export const OTHER_QUEUE = 'others';

/** Calls of tools of that worker: an activity, a workflow, and an activity that does not end in time. */
export function externalScenarios(): Scenario[] {
  const activity = (name: string) => ({ activity: { taskQueue: OTHER_QUEUE, name } });
  return [
    {
      name: 'executeTool-activity-of-another',
      prepare: { name: 'refund', parameters: { orderId: 'string' }, ...activity('refund') },
      path: '/api/tools/execute',
      body: { toolName: 'refund', args: { orderId: '7' } },
      externalCall: 'callExternal-activity',
    },
    {
      name: 'executeTool-workflow-of-another',
      prepare: {
        name: 'ship',
        parameters: { orderId: 'string' },
        workflow: { taskQueue: OTHER_QUEUE, type: 'ship' },
        timeoutMs: 60_000,
      },
      path: '/api/tools/execute',
      body: { toolName: 'ship', args: { orderId: '7' } },
      externalCall: 'callExternal-workflow',
    },
    {
      name: 'executeTool-late-activity-of-another',
      prepare: { name: 'late', parameters: {}, ...activity('work'), timeoutMs: 500 },
      path: '/api/tools/execute',
      body: { toolName: 'late', args: {} },
      externalCall: 'callExternal-late',
    },
  ];
}
