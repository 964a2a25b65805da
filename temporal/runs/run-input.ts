import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import type { EngineConnection } from '../engine';
import { resolveReferences } from './resolve-references';
import type { StartedRun } from './started-run';

/**
 * Reads the input of a run, which is in the first event of its history. The client has no method for it, so this
 * decodes the event as the client decodes the result of a run.
 * @throws the client's error where the server cannot be asked or the stored input cannot be read
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
  return decodeFromPayloadsAtIndex(client.options.loadedDataConverter, 0, started?.input?.payloads);
}
