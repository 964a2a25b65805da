import type { EngineConnection } from '../engine';
import { readFirst } from '../payloads/read-payload';
import { resolveReferences } from '../sdk-patches/stored-values';
import type { StartedRun } from './started-run';

/**
 * Reads the input of a run, which is in the first event of its history. The client has no method for it.
 * @throws the client's error if the server cannot be asked or the stored input cannot be read
 */
export async function readRunInput(
  { client, namespace }: EngineConnection,
  { workflowId, runId }: StartedRun,
): Promise<unknown> {
  const page = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
    skipArchival: true,
  });
  const events = page.history?.events ?? [];
  await resolveReferences(client, events);
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  return readFirst(started?.input);
}
