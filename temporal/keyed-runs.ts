import { WorkflowNotFoundError } from '@temporalio/common';
import { HoldfastError } from '../src/base/errors';
import type { EngineConnection } from './engine';
import { mayRunAgain } from './may-run-again';
import type { StartedRun } from './started-run';

/** A run that an idempotency key names. */
export interface RunKey {
  /** Of the key's first run. */
  readonly workflowId: string;
  /** Of the request. The same digest joins the run that is there, another one is refused. */
  readonly digest: string;
  /** Whether a run that failed for the service's own reasons, and had no effect, may be followed by another. */
  readonly mayRunAgain: boolean;
}

/** Runs under one key, the first included. */
const MAX_RUNS = 50;
const ENDED_BADLY: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT']);

export type KeyedRun = { readonly run: StartedRun } | { readonly freeWorkflowId: string };

/** A request that may have started a run, by the id and the digest that the run has then. */
interface SameRequest {
  readonly workflowId: string;
  readonly digest?: string;
}

interface FoundRun {
  readonly run: StartedRun;
  readonly endedBadly: boolean;
}

/**
 * The run of this workflow id.
 * @throws HoldfastError `RUN_CONFLICT` where another request started it; WorkflowNotFoundError
 */
export async function sameRun(connection: EngineConnection, request: SameRequest): Promise<StartedRun> {
  return (await findSame(connection, request)).run;
}

async function findSame(
  { client }: EngineConnection,
  { workflowId, digest }: SameRequest,
): Promise<FoundRun> {
  const run = await client.workflow.getHandle(workflowId).describe();
  if (run.memo?.['requestDigest'] !== digest) {
    throw new HoldfastError('RUN_CONFLICT', 'This Idempotency-Key was used before with another request');
  }
  return { run: { workflowId, runId: run.runId }, endedBadly: ENDED_BADLY.has(run.status.name) };
}

/**
 * The run that a key stands for. Each run that may be followed by another is followed by the one whose workflow id has the next
 * number: `<id>`, `<id>/2`, and so on. The server refuses a second run of an id, so repeats that arrive at once start one run, and
 * none starts another after a run that may have had an effect.
 * @throws HoldfastError `RUN_CONFLICT` where another request used the key
 */
export async function findKeyedRun(connection: EngineConnection, key: RunKey): Promise<KeyedRun> {
  for (let number = 1; ; number += 1) {
    const workflowId = number === 1 ? key.workflowId : `${key.workflowId}/${number}`;
    try {
      const { run, endedBadly } = await findSame(connection, { ...key, workflowId });
      const isLast = !key.mayRunAgain || !endedBadly || number === MAX_RUNS;
      if (isLast || !(await mayRunAgain(connection, run))) return { run };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return { freeWorkflowId: workflowId };
      throw error;
    }
  }
}
