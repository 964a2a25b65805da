import { execFileSync } from 'node:child_process';
import type { Client } from '@temporalio/client';
import { waitFor } from './wait';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Processes with `text` in their command line, as a Temporal server has its data folder. */
export function processesNaming(text: string): FoundProcess[] {
  const table = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 16 * 1_048_576 });
  return table.split('\n').flatMap((line) => {
    const [, pid = '', command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return command.includes(text) ? [{ pid: Number(pid), command }] : [];
  });
}

/** Ids of the runs on a task queue that have not ended. */
export async function openRuns(client: Client, taskQueue: string): Promise<string[]> {
  const ids: string[] = [];
  const query = `TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
  return ids;
}

/** Waits until no run on the task queue is going; the server's index learns of an end a moment after it. */
export async function noOpenRuns(client: Client, taskQueue: string, timeoutMs = 5_000): Promise<void> {
  await waitFor(
    async () => {
      const open = await openRuns(client, taskQueue);
      if (open.length > 0) throw new Error(open.join(', '));
      return true;
    },
    { what: `the runs on ${taskQueue} to end`, timeoutMs },
  );
}
