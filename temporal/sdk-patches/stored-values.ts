import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers';
import {
  extstoreInboundOptions,
  visit,
  walkGetWorkflowExecutionHistoryResponse,
  walkListWorkflowExecutionsResponse,
} from '@temporalio/common/lib/internal-non-workflow';
import type { temporal } from '@temporalio/proto';

/**
 * The client reads values that a history holds by reference only in results and in its own lists, which it gives without the token of
 * the next page. It has no public function for other events, or that tells a reference from a value.
 */
export {
  decodeReferencePayload,
  isReferencePayload,
} from '@temporalio/common/lib/internal-non-workflow/extstore-helpers';

/**
 * Replaces the references in a part of a history by the stored values, as the client does for the result of a run.
 * @throws the store's error if a value cannot be read
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
 * Reads the runs of one page of a list, as the client's own list does.
 * @throws the store's error if a value of a memo cannot be read
 */
export async function readListedRuns(
  { options }: Client,
  namespace: string,
  executions: temporal.api.workflow.v1.IWorkflowExecutionInfo[],
): Promise<Omit<WorkflowExecutionInfo, 'raw'>[]> {
  const { externalStorage } = options.loadedDataConverter;
  // Only the runs of the response are visited.
  await visit({ executions }, walkListWorkflowExecutionsResponse, extstoreInboundOptions(externalStorage));
  return Promise.all(
    executions.map((raw) => executionInfoFromRaw(raw, options.loadedDataConverter, undefined, namespace)),
  );
}
