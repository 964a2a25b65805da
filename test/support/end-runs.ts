import { connectTemporal } from './temporal-client';

/** Terminates the open runs of a service on the shared Temporal server, such as those whose callers gave them up. */
export async function endRuns(taskQueue: string): Promise<void> {
  const { client, close } = await connectTemporal();
  try {
    for await (const run of client.workflow.list({ query: "ExecutionStatus = 'Running'" }))
      if (run.taskQueue.startsWith(taskQueue)) await client.workflow.getHandle(run.workflowId).terminate();
  } finally {
    await close();
  }
}
