import { WorkflowNotFoundError } from '@temporalio/common';
import { HoldfastError } from '../../src/base/errors';
import type { EngineConnection } from '../engine';
import { MAY_PAUSE_MEMO } from '../../src/contracts/runs/approvals';
import { mayRunAgain } from './may-run-again';
import { firstRunIdOf } from './run-chains';
import { describedStatus } from './run-status';
import type { StartedRun } from './started-run';

/** An idempotency key of a request that starts a run. */
export interface RunKey {
  /** Workflow id of the first run of the key. */
  readonly workflowId: string;
  /** Digest of the request. A request with the same digest joins the run, and one with another digest is refused. */
  readonly digest: string;
  /** Whether another run may follow one that failed for reasons of the service and had no effect. */
  readonly mayRunAgain: boolean;
}

/** How many runs one key may have, the first included. */
const MAX_RUNS = 50;
const ENDED_BADLY: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT']);

export type KeyedRun =
  { readonly run: StartedRun; readonly workflowType: string } | { readonly freeWorkflowId: string };

/** A request that may have started a run, by the workflow id and the digest that its run would have. */
interface SameRequest {
  readonly workflowId: string;
  readonly digest?: string;
}

interface FoundRun {
  readonly run: StartedRun;
  readonly workflowType: string;
  readonly endedBadly: boolean;
}

/**
 * Finds the run with this workflow id.
 * @throws HoldfastError `RUN_CONFLICT` if another request has started it; WorkflowNotFoundError if it does not
 * exist
 */
export async function findRunOfRequest(
  connection: EngineConnection,
  request: SameRequest,
): Promise<StartedRun> {
  return (await describeRunOfRequest(connection, request)).run;
}

async function describeRunOfRequest(
  { client }: EngineConnection,
  { workflowId, digest }: SameRequest,
): Promise<FoundRun> {
  const run = await client.workflow.getHandle(workflowId).describe();
  if (run.memo?.['requestDigest'] !== digest) {
    throw new HoldfastError('RUN_CONFLICT', 'This Idempotency-Key was used before with another request');
  }
  return {
    run: {
      workflowId,
      runId: firstRunIdOf(run),
      status: describedStatus(run),
      mayPause: run.memo?.[MAY_PAUSE_MEMO] === true ? true : undefined,
      repeated: { isFirst: false },
    },
    workflowType: run.type,
    endedBadly: ENDED_BADLY.has(run.status.name),
  };
}

/**
 * Finds the run of a key, or the workflow id for a new one. The runs of a key have numbered workflow ids: `<id>`,
 * `<id>/2`, and so on. The server refuses a second run with the same id, so that repeats which arrive together start
 * one run, and no repeat starts another after a run that may have had an effect.
 * @throws HoldfastError `RUN_CONFLICT` if another request has used the key
 */
export async function findKeyedRun(connection: EngineConnection, key: RunKey): Promise<KeyedRun> {
  for (let number = 1; ; number += 1) {
    const workflowId = number === 1 ? key.workflowId : `${key.workflowId}/${number}`;
    try {
      const foundRun = await describeRunOfRequest(connection, { ...key, workflowId });
      const { run, workflowType, endedBadly } = foundRun;
      const isLast = !key.mayRunAgain || !endedBadly || number === MAX_RUNS;
      const isFirst = number === 1;
      if (isLast || !(await mayRunAgain(connection, run)))
        return { run: { ...run, repeated: { isFirst } }, workflowType };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return { freeWorkflowId: workflowId };
      throw error;
    }
  }
}
