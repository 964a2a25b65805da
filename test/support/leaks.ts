import type { Client } from '@temporalio/client';
import { waitFor } from './wait';

/** Ids of the runs on a task queue that have not ended. */
export async function openRuns(client: Client, taskQueue: string): Promise<string[]> {
  const ids: string[] = [];
  const query = `TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
  return ids;
}

/** Waits until no run of the task queue is open; the server's index shows the end of a run shortly after it. */
export async function noOpenRuns(client: Client, taskQueue: string): Promise<void> {
  await waitFor(
    async () => {
      const open = await openRuns(client, taskQueue);
      if (open.length > 0) throw new Error(open.join(', '));
      return true;
    },
    { what: `the runs on ${taskQueue} to end` },
  );
}
