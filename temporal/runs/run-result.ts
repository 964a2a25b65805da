import { temporal } from '@temporalio/proto';
import type { EngineConnection } from '../engine';
import { loadPayload, openLarge, readPayload } from '../payloads/large-values';
import { isReferencePayload } from '../sdk-patches/stored-values';
import type { StartedRun, AdmitBytes } from './started-run';

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

/**
 * Reads the input of a run, which is in the first event of its history. The client has no method for it.
 * @param admit takes room for a large one
 * @throws the client's error if the server cannot be asked or the stored input cannot be read; what `admit` throws
 */
export async function readRunInput(
  connection: EngineConnection,
  run: StartedRun,
  admit: AdmitBytes = () => Promise.resolve(),
): Promise<unknown> {
  const payload = await readInputPayload(connection, run);
  return payload === undefined ? undefined : loadPayload(connection.client, payload, admit);
}

/**
 * Reads the second argument of a run; undefined if it has one alone. @throws as `readRunInput` does
 */
export async function readSecondInput(
  connection: EngineConnection,
  run: StartedRun,
  admit: AdmitBytes,
): Promise<unknown> {
  const payload = await readInputPayload(connection, run, 1);
  return payload === undefined ? undefined : loadPayload(connection.client, payload, admit);
}

/** As `readRunInput`; a large one stays in the store, as a `StoredJson`. */
export async function openRunInput(connection: EngineConnection, run: StartedRun): Promise<unknown> {
  const { client } = connection;
  const payload = await readInputPayload(connection, run);
  if (payload === undefined) return undefined;
  return (await openLarge(client, payload)) ?? loadPayload(client, payload, () => Promise.resolve());
}

async function readInputPayload(
  { client, namespace }: EngineConnection,
  { workflowId, runId }: StartedRun,
  place = 0,
): Promise<temporal.api.common.v1.IPayload | undefined> {
  const page = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
    skipArchival: true,
  });
  return page.history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[place];
}
