import { MAY_PAUSE_MEMO } from '../../src/contracts/runs/approvals';
import { DEPTH_FIELD } from '../../src/contracts/runs/call-depth';
import { RERUN_MEMO, type Rerun } from '../../src/contracts/runs/reruns';
import type { Engine } from '../engine';
import { callEngine } from './call-engine';
import { AGENT_MEMO, USES_MODELS_MEMO } from './indexed-run';
import { PLACE_MEMO } from './run-state';
import type { StartedRun } from './started-run';

/** The field of a run's memo that has the note of its request. */
const NOTE_MEMO = 'note';
const LIMIT_MS = 3_000;

/** What the memo of a run is made of. */
export interface NotedRequest {
  /**
   * Time limit of the run, ms. Absent for a run that may wait for a person, because its limits do not count that time: its
   * steps and the deadlines of its approvals have limits of their own.
   */
  readonly runTimeoutMs: number | undefined;
  /** Kept in the run's memo, so that the log lines of a request lead to its run and back. */
  readonly requestId: string;
  /**
   * Kept in the run's memo. It names the place in the session with which the run was started, by the time when the
   * place was taken.
   */
  readonly placedAt?: number | undefined;
  /** Kept in the memo of a custom workflow whose steps call models, so that the count of their tokens reads its log. */
  readonly usesModels?: boolean | undefined;
  /** The id of the named agent that answers a turn, kept in the run's memo for the sums of usage; absent for the service's own. */
  readonly agent?: string | undefined;
  /** Kept in the run's memo. Present if it repeats another run. */
  readonly rerun?: Rerun | undefined;
  /** Kept in the run's memo: what its caller asked for in the form of a protocol, which describes the run again later. */
  readonly note?: unknown;
  /** How many model calls the run is within, kept in its memo for the calls that it makes; absent: none. */
  readonly depth?: number | undefined;
  /** The digest of `RunKey`; absent for a request without an idempotency key. */
  readonly digest?: string;
}

/** The memo of a run, by which later requests and the worker know it. Pure. */
export function toMemo(request: NotedRequest): Record<string, unknown> {
  return {
    requestId: request.requestId,
    ...(request.runTimeoutMs === undefined ? { [MAY_PAUSE_MEMO]: true } : {}),
    ...(request.digest === undefined ? {} : { requestDigest: request.digest }),
    ...(request.placedAt === undefined ? {} : { [PLACE_MEMO]: request.placedAt }),
    ...(request.rerun === undefined ? {} : { [RERUN_MEMO]: request.rerun }),
    ...(request.agent === undefined ? {} : { [AGENT_MEMO]: request.agent }),
    ...(request.note === undefined ? {} : { [NOTE_MEMO]: request.note }),
    ...(request.depth === undefined || request.depth === 0 ? {} : { [DEPTH_FIELD]: request.depth }),
    ...(request.usesModels === true ? { [USES_MODELS_MEMO]: true } : {}),
  };
}

/** Names the first run in the Temporal UI. */
export function describeRerun({ of: { traceId, workflowId } }: Rerun): string {
  return `A rerun of the workflow \`${workflowId}\`, run \`${traceId}\``;
}

/** Reads the note of a run's request; undefined if it has none. @throws HoldfastError `ENGINE_UNAVAILABLE` */
export async function readRunNote(engine: Engine, { workflowId, runId }: StartedRun): Promise<unknown> {
  const { memo } = await callEngine(engine, LIMIT_MS, ({ client }) =>
    client.workflow.getHandle(workflowId, runId).describe(),
  );
  return memo?.[NOTE_MEMO];
}
