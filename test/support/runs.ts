import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { Paths } from './http';
import type { Api, Stage } from './stage';
import { waitFor } from './wait';

/** The runs on a task queue that the server's index knows, the latest first. */
export async function listRuns(client: Client, taskQueue: string): Promise<WorkflowExecutionInfo[]> {
  const runs: WorkflowExecutionInfo[] = [];
  for await (const run of client.workflow.list({ query: `TaskQueue = '${taskQueue}'` })) runs.push(run);
  return runs;
}

/**
 * Waits until all runs of a stage, each of one call, have ended and the server's index lists as many runs as the API
 * has counted. The index lists a run shortly after its start.
 */
export function settledRuns({ client, taskQueue }: Stage, api: Api): Promise<WorkflowExecutionInfo[]> {
  return waitFor(
    async () => {
      const runs = await listRuns(client, taskQueue);
      const going = runs.filter(({ status }) => status.name === 'RUNNING').length;
      const { totalExecutions } = await figures(api);
      if (going === 0 && runs.length === totalExecutions) return runs;
      throw new Error(
        `${runs.length} runs are known, ${going} of them going, and ${totalExecutions} counted`,
      );
    },
    { what: `every run on ${taskQueue} to end and to be counted` },
  );
}

/** Trace ids of those that completed. */
export function completedIds(runs: readonly WorkflowExecutionInfo[]): Set<string> {
  return new Set(runs.filter(({ status }) => status.name === 'COMPLETED').map(({ runId }) => runId));
}

/** The one run of a stage, as soon as the server's index knows it. */
export function onlyRun({ client, taskQueue }: Stage): Promise<WorkflowExecutionInfo> {
  return waitFor(async () => (await listRuns(client, taskQueue))[0], { what: 'a run to be listed' });
}

/** Pid of the worker that has the run's pending activity. */
export async function pidOfActivity({ client }: Stage, workflowId: string): Promise<number> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return pidOf(raw.pendingActivities?.[0]?.lastWorkerIdentity);
}

/** The process id in a worker's identity, `<pid>@<host>`. */
export function pidOf(identity: string | null | undefined): number {
  return Number.parseInt(identity ?? '', 10);
}

const { EventType } = temporal.api.enums.v1;
export type EventName = keyof typeof EventType;

/** Identities of the workers that took a run's events of a kind. */
export async function eventsOf(
  { client }: Stage,
  workflowId: string,
  name: EventName,
): Promise<temporal.api.history.v1.IHistoryEvent[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter(({ eventType }) => eventType === EventType[name]);
}

export interface CallFigures {
  readonly totalExecutions: number;
  readonly successfulExecutions: number;
  readonly failedExecutions: number;
}

/** The number of tool calls as an API counts them. */
export async function figures(api: Paths): Promise<CallFigures> {
  const { body } = await api.get('/api/tools/stats');
  const { totalExecutions, successfulExecutions, failedExecutions } = body.data as CallFigures;
  return { totalExecutions, successfulExecutions, failedExecutions };
}

/** The tool calls that an API counted since it counted `before`. */
export async function countedSince(before: CallFigures, api: Api): Promise<CallFigures> {
  const now = await figures(api);
  return {
    totalExecutions: now.totalExecutions - before.totalExecutions,
    successfulExecutions: now.successfulExecutions - before.successfulExecutions,
    failedExecutions: now.failedExecutions - before.failedExecutions,
  };
}
