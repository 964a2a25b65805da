import type { temporal } from '@temporalio/proto';
import { beforeDeadline } from '../deadline';
import type { EngineConnection } from '../engine';
import type { StartedRun } from './started-run';

const PAGE_EVENTS = 100;

/**
 * Reads the history of a run from its end, page by page, the latest event first.
 * @param limitMs limit of each request, milliseconds
 * @throws the client's error if the server cannot be asked
 */
export async function* readLatestEvents(
  { client, namespace, native }: Pick<EngineConnection, 'client' | 'namespace' | 'native'>,
  { workflowId, runId }: StartedRun,
  limitMs: number,
): AsyncGenerator<readonly temporal.api.history.v1.IHistoryEvent[], void, undefined> {
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const request = {
      namespace,
      execution: { workflowId, runId },
      maximumPageSize: PAGE_EVENTS,
      nextPageToken,
    };
    const page = await beforeDeadline(native, Date.now() + limitMs, () =>
      client.workflowService.getWorkflowExecutionHistoryReverse(request),
    );
    yield page.history?.events ?? [];
    ({ nextPageToken } = page);
  } while (nextPageToken.length > 0);
}
