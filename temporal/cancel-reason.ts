import { beforeDeadline } from './deadline';
import type { EngineConnection } from './engine';
import type { StartedRun } from './started-run';

const PAGE_EVENTS = 100;
/** Between the request and the end of a run are few events, except where a turn waits for earlier turns. */
const MAX_PAGES = 5;
const LIMIT_MS = 3_000;

/** Says in the error of a run why it was cancelled. Pure. */
export function describeCancellation(reason: string): string {
  return `The run was cancelled: ${reason}`;
}

/**
 * Reads why the cancellation of a run was requested. Only the history has the reason, and the request is near its end.
 * @returns undefined where it was requested without a reason, or the history has too many events after the request
 * @throws the client's error where the server cannot be asked
 */
export async function readCancelReason(
  { client, namespace, native }: EngineConnection,
  execution: StartedRun,
): Promise<string | undefined> {
  let nextPageToken: Uint8Array = new Uint8Array();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const request = { namespace, execution, maximumPageSize: PAGE_EVENTS, nextPageToken };
    const { history, nextPageToken: next } = await beforeDeadline(native, Date.now() + LIMIT_MS, () =>
      client.workflowService.getWorkflowExecutionHistoryReverse(request),
    );
    for (const { workflowExecutionCancelRequestedEventAttributes: requested } of history?.events ?? []) {
      if (requested != null) return requested.cause || undefined;
    }
    if (next.length === 0) return undefined;
    nextPageToken = next;
  }
  return undefined;
}
