import { isGrpcServiceError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { HoldfastError, isHoldfastError } from '../src/errors';
import { beforeDeadline } from './deadline';
import type { Engine, EngineConnection } from './engine';
import { unavailable } from './engine';
import { describe, isTransient, toRunError } from './run-errors';
import { isOpen } from './run-state';

const DEADLINE_MS = 3_000;
/** gRPC's invalid argument and not found. */
const REFUSED = new Set<number>([3, 5]);

export interface RunRecord {
  readonly workflowId: string;
  readonly traceId: string;
  readonly type: string;
  /** `running`, `completed`, `failed`, `cancelled`, `terminated`, `timed_out` or `continued_as_new`. */
  readonly status: string;
  readonly startedAt: string;
  readonly closedAt: string | null;
  /** Present on a completed run. */
  readonly result?: unknown;
  /** Present on a run that ended otherwise. */
  readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown };
}

/** Which run: one by its trace id (its Temporal run id), or the latest of a workflow id; both is quickest. */
export type RunReference =
  | { readonly traceId: string; readonly workflowId?: string | undefined }
  | { readonly traceId?: undefined; readonly workflowId: string };

/**
 * Looks a run up. By the trace id alone the server's index is asked, which learns of a new run within about a second.
 * @throws HoldfastError `RUN_NOT_FOUND`, `ENGINE_UNAVAILABLE`, `STORE_UNAVAILABLE` where its result cannot be read
 */
export async function findRun(engine: Engine, reference: RunReference): Promise<RunRecord> {
  const connection = engine.current();
  const { traceId, workflowId } = reference;
  try {
    return await beforeDeadline(connection.native, Date.now() + DEADLINE_MS, async () => {
      const id =
        traceId === undefined ? workflowId : (workflowId ?? (await findWorkflowId(connection, traceId)));
      if (id === undefined) throw notFound(reference);
      return read(connection, id, traceId);
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isInvalid(error)) throw notFound(reference);
    if (!isHoldfastError(error) && isTransient(error)) throw unavailable(engine.address, describe(error));
    throw error;
  }
}

function isInvalid(error: unknown): boolean {
  return isGrpcServiceError(error) && REFUSED.has(error.code);
}

function notFound({ traceId, workflowId = '' }: RunReference): HoldfastError {
  const which = traceId === undefined ? `workflow id "${workflowId}"` : `trace id "${traceId}"`;
  return new HoldfastError('RUN_NOT_FOUND', `There is no run with the ${which}`);
}

async function findWorkflowId({ client }: EngineConnection, traceId: string): Promise<string | undefined> {
  for await (const run of client.workflow.list({ query: `RunId = '${traceId}'`, pageSize: 1 }))
    return run.workflowId;
  return undefined;
}

async function read(
  { client }: EngineConnection,
  workflowId: string,
  traceId: string | undefined,
): Promise<RunRecord> {
  const run = await client.workflow.getHandle(workflowId, traceId).describe();
  const record = {
    workflowId,
    traceId: run.runId,
    type: run.type,
    status: run.status.name.toLowerCase(),
    startedAt: run.startTime.toISOString(),
    closedAt: run.closeTime?.toISOString() ?? null,
  };
  if (isOpen(run.status)) return record;
  try {
    return { ...record, result: await client.workflow.getHandle(workflowId, run.runId).result() };
  } catch (error) {
    const failure = toRunError(error, { workflowId, runId: run.runId });
    // A run that completed has not failed: its result cannot be read where it is stored.
    if (!isHoldfastError(failure) || run.status.name === 'COMPLETED') throw failure;
    const { code, message, details } = failure;
    return { ...record, error: { code, message, ...(details ? { details } : {}) } };
  }
}
