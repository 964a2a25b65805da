import { setTimeout as delay } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import type { Engine, EngineConnection } from './engine';
import { isOpen } from './run-state';
import { workflowFolder } from './stored-values';

/** Runs that are a user's begin with one of these, a slash and the user's pseudonym. */
export const TURN_PREFIXES = ['agent-turn', 'memory-chat-turn'] as const;

export interface UserRunsPorts {
  readonly engine: Engine;
  /** Where large values of runs are kept. */
  readonly blobs: Pick<BlobStore, 'removeFolder'>;
}

export interface DeletedRuns {
  readonly runs: number;
  /** None was left. */
  readonly done: boolean;
}

/** Runs taken away by one call. */
const MAX_RUNS = 200;
/** The server's index learns of a new run, and of the end of one, within about a second. */
const INDEX_DELAY_MS = 1_500;
/** gRPC's not found. */
const GONE = new Set<number>([5]);

/**
 * Takes away a bounded number of the runs of a user, with their histories and the large values they carried; those that go on
 * are ended. No new ones may be started meanwhile. May be repeated. The server has then taken down for good that a history
 * goes, and lets it go in the background: a run that has just ended, within about half a minute.
 * @param user the pseudonym
 * @throws the client's error where the server cannot be asked, the store's where values cannot be removed; the signal's reason
 */
export async function deleteUserRuns(
  { engine, blobs }: UserRunsPorts,
  user: string,
  signal: AbortSignal,
): Promise<DeletedRuns> {
  const connection = engine.current();
  const deleted = new Set<string>();
  // A second look finds what the index did not know at the first.
  for (const look of ['first', 'second'] as const) {
    if (deleted.size === MAX_RUNS) break;
    if (look === 'second') await delay(INDEX_DELAY_MS, undefined, { signal });
    for await (const { workflowId, runId } of connection.client.workflow.list({ query: runsOf(user) })) {
      signal.throwIfAborted();
      if (deleted.has(runId)) continue;
      const values = workflowFolder(connection.namespaceId, workflowId);
      const removeValues = (): Promise<void> => blobs.removeFolder(values);
      if (!(await deleteRun(connection, { workflowId, runId }, removeValues))) continue;
      deleted.add(runId);
      if (deleted.size === MAX_RUNS) break;
    }
  }
  return { runs: deleted.size, done: deleted.size < MAX_RUNS };
}

function runsOf(user: string): string {
  return TURN_PREFIXES.map((prefix) => `WorkflowId STARTS_WITH "${prefix}/${user}/"`).join(' OR ');
}

/**
 * Values go before the run, as nobody would find them by a run that is gone.
 * @returns false where it was gone already: the index forgets a moment later
 */
async function deleteRun(
  { client, namespace }: EngineConnection,
  workflowExecution: { readonly workflowId: string; readonly runId: string },
  removeValues: () => Promise<void>,
): Promise<boolean> {
  const handle = client.workflow.getHandle(workflowExecution.workflowId, workflowExecution.runId);
  try {
    const { status } = await handle.describe();
    if (isOpen(status)) await handle.terminate('the user is erased');
    await removeValues();
    await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && GONE.has(error.code));
}
