import { setTimeout as delay } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { BlobStore } from '../../src/stores/blobs/blob-store';
import type { Engine, EngineConnection } from '../engine';
import { ownerQuery, type RunOwner } from '../../src/contracts/runs/run-owner';
import { isOpen } from './run-state';
import { workflowFolder } from '../payloads/stored-values';

export interface UserRunsPorts {
  readonly engine: Engine;
  /** The store of large values of runs. */
  readonly blobs: Pick<BlobStore, 'removeFolder'>;
}

export interface DeletedRuns {
  readonly runs: number;
  /** True if no run is left. */
  readonly done: boolean;
}

/** How many runs one call deletes at most. */
const MAX_RUNS = 200;
/** The server's index shows a new run, and the end of one, within about a second. */
const INDEX_DELAY_MS = 1_500;
/** The gRPC code of not found. */
const GONE = new Set<number>([5]);

/**
 * Deletes up to MAX_RUNS runs of a user, with their histories and their large values, and terminates those that are
 * open. The caller makes sure that no new ones are started meanwhile, and may repeat the call. When it returns, the
 * server has recorded each deletion durably. It removes the histories in the background, that of a run that has just
 * ended within about half a minute.
 * @throws the client's error if the server cannot be asked; the store's error if values cannot be removed; the
 * signal's reason
 */
export async function deleteUserRuns(
  { engine, blobs }: UserRunsPorts,
  user: RunOwner,
  signal: AbortSignal,
): Promise<DeletedRuns> {
  const connection = engine.current();
  const deleted = new Set<string>();
  // The second pass finds runs that the index did not show in the first.
  for (const look of ['first', 'second'] as const) {
    if (deleted.size === MAX_RUNS) break;
    if (look === 'second') await delay(INDEX_DELAY_MS, undefined, { signal });
    for await (const { workflowId, runId } of connection.client.workflow.list({
      query: ownerQuery(user),
    })) {
      signal.throwIfAborted();
      if (deleted.has(runId)) continue;
      if (!(await deleteRun({ connection, blobs }, { workflowId, runId }, 'the user is erased'))) continue;
      deleted.add(runId);
      if (deleted.size === MAX_RUNS) break;
    }
  }
  return { runs: deleted.size, done: deleted.size < MAX_RUNS };
}

export interface DeleteRunPorts extends Pick<UserRunsPorts, 'blobs'> {
  readonly connection: EngineConnection;
}

/**
 * Deletes a run with its history and its large values. Removes the values before the run, because they are found only by the run.
 * The server removes the history in the background.
 * @param reason with which it is terminated if it is open
 * @returns false if the run was already deleted, which the index shows a little later
 * @throws as `deleteUserRuns` does
 */
export async function deleteRun(
  { connection: { client, namespace, namespaceId }, blobs }: DeleteRunPorts,
  workflowExecution: { readonly workflowId: string; readonly runId: string },
  reason: string,
): Promise<boolean> {
  const handle = client.workflow.getHandle(workflowExecution.workflowId, workflowExecution.runId);
  try {
    const { status, parentExecution, raw } = await handle.describe();
    if (isOpen(status)) {
      // Those that wait for this run end before it, the first of them first, since each would go on as if this one had failed. The
      // first may be that of a schedule, which only asks its run to cancel, so the direct one ends by itself too.
      const first = raw.workflowExecutionInfo?.rootExecution?.workflowId;
      const waiting = new Set([first, parentExecution?.workflowId]);
      for (const id of waiting)
        if (id && id !== workflowExecution.workflowId) await terminate(client, reason, id);
      await terminate(client, reason, workflowExecution.workflowId, workflowExecution.runId);
    }
    await blobs.removeFolder(workflowFolder(namespaceId, workflowExecution.workflowId));
    await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** Terminates a run, unless it has ended. */
async function terminate(
  client: EngineConnection['client'],
  reason: string,
  workflowId: string,
  runId?: string,
): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId, runId).terminate(reason);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && GONE.has(error.code));
}
