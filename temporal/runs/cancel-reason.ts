import type { EngineConnection } from '../engine';
import { readLatestEvents } from './latest-events';
import type { StartedRun } from './started-run';

/** Between the request and the end of a run are few events, unless a turn waits for earlier turns. */
const MAX_PAGES = 5;
const LIMIT_MS = 3_000;

/** Says in the error of a run why it was cancelled. Pure. */
export function describeCancellation(reason: string): string {
  return `The run was cancelled: ${reason}`;
}

/**
 * Reads why the cancellation of a run was requested. Only the history has the reason, and the request is near its end.
 * @returns undefined if it was requested without a reason, or the history has too many events after the request
 * @throws the client's error if the server cannot be asked
 */
export async function readCancelReason(
  connection: EngineConnection,
  run: StartedRun,
): Promise<string | undefined> {
  let pages = 0;
  for await (const events of readLatestEvents(connection, run, LIMIT_MS)) {
    for (const { workflowExecutionCancelRequestedEventAttributes: requested } of events) {
      if (requested != null) return requested.cause || undefined;
    }
    pages += 1;
    if (pages === MAX_PAGES) break;
  }
  return undefined;
}
