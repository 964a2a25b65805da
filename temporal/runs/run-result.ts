import { temporal } from '@temporalio/proto';
import type { EngineConnection } from '../engine';
import { openLarge } from '../payloads/large-values';
import { readPayload } from '../payloads/read-payload';
import type { AdmitBytes } from './admit-bytes';
import { isReferencePayload } from '../sdk-patches/stored-values';
import type { StartedRun } from './started-run';

const CLOSE_EVENT = temporal.api.enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;

export interface ResultOptions {
  /** Whether a large result is returned as a `StoredJson`. */
  readonly mayStay: boolean;
  readonly admit: AdmitBytes;
}

/**
 * Waits for the result of a run, or of the last one of its chain. It costs one request, as `result()` of the client does.
 * @throws as `result()` of the client does, `admit` for a large result that is read into memory, and the errors of its store
 */
export async function readResult(
  { client, namespace }: EngineConnection,
  { workflowId, runId }: StartedRun,
  { mayStay, admit }: ResultOptions,
): Promise<unknown> {
  const request = {
    namespace,
    execution: { workflowId, runId },
    skipArchival: true,
    waitNewEvent: true,
    historyEventFilterType: CLOSE_EVENT,
  };
  for (;;) {
    const { history } = await client.workflowService.getWorkflowExecutionHistory(request);
    const [end] = history?.events ?? [];
    if (end === undefined) continue;
    const completed = end.workflowExecutionCompletedEventAttributes;
    const payload = completed?.result?.payloads?.[0];
    if (payload != null && !completed?.newExecutionRunId) {
      if (!isReferencePayload(payload)) return readPayload(payload);
      const large = await openLarge(client, payload);
      if (large !== undefined) return mayStay ? large : await large.load(admit);
    }
    // The client knows how to read what is left: ends without a result, runs that continue as new, and small stored results.
    return client.workflow.getHandle(workflowId, runId).result();
  }
}
