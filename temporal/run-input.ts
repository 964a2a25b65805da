import {
  decodeFromPayloadsAtIndex,
  extstoreInboundOptions,
  visit,
  walkGetWorkflowExecutionHistoryResponse,
} from '@temporalio/common/lib/internal-non-workflow';
import type { EngineConnection } from './engine';
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
  const { loadedDataConverter: converter } = client.options;
  await visit(
    page,
    walkGetWorkflowExecutionHistoryResponse,
    extstoreInboundOptions(converter.externalStorage),
  );
  const started = page.history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  return decodeFromPayloadsAtIndex(converter, 0, started?.input?.payloads);
}
