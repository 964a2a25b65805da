import type { Client } from '@temporalio/client';
import {
  extstoreInboundOptions,
  visit,
  walkGetWorkflowExecutionHistoryResponse,
  walkListWorkflowExecutionsResponse,
} from '@temporalio/common/lib/internal-non-workflow';
import type { temporal } from '@temporalio/proto';

/**
 * Replaces the references in a part of a history by the stored values, as the client does for the result of a run. The
 * client has no method for the other events.
 * @throws the store's error where a value cannot be read
 */
export async function resolveReferences(
  { options }: Client,
  events: temporal.api.history.v1.IHistoryEvent[],
): Promise<void> {
  const { externalStorage } = options.loadedDataConverter;
  const response = { history: { events } };
  // Only the history of the response is visited.
  await visit(
    response as Parameters<typeof walkGetWorkflowExecutionHistoryResponse>[0],
    walkGetWorkflowExecutionHistoryResponse,
    extstoreInboundOptions(externalStorage),
  );
}

/**
 * The same for the memos of a list of runs, before they are decoded.
 * @throws the store's error where a value cannot be read
 */
export async function resolveMemos(
  { options }: Client,
  executions: temporal.api.workflow.v1.IWorkflowExecutionInfo[],
): Promise<void> {
  const { externalStorage } = options.loadedDataConverter;
  // Only the runs of the response are visited.
  await visit({ executions }, walkListWorkflowExecutionsResponse, extstoreInboundOptions(externalStorage));
}
