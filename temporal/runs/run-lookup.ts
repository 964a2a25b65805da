import type { WorkflowHandle } from '@temporalio/client';
import { HoldfastError, isHoldfastError } from '../../src/base/errors';
import { MAY_PAUSE_MEMO } from '../../src/contracts/runs/approvals';
import { isRunOf, type RunOwner } from '../../src/contracts/runs/run-owner';
import { RERUN_MEMO, type Rerun } from '../../src/contracts/runs/reruns';
import { staysWhole } from '../../src/contracts/runs/outputs';
import { describeCancellation, readCancelReason } from './cancel-reason';
import { callEngine } from './call-engine';
import { type Engine, type EngineConnection, unavailable } from '../engine';
import { StoredJson } from '../payloads/stored-json';
import { firstRunIdOf } from './run-chains';
import { isMissingRun, toRunError } from './run-errors';
import { readResult, readRunInput } from './run-result';
import { isOpen } from './run-state';
import { describedStatus } from './run-status';
import type { StartedRun, AdmitBytes } from './started-run';
import { PlacesByKey } from '../../src/base/async/semaphore';

const MAX_KNOWN = 10_000;
/** By trace id. A run keeps its workflow id for ever. */
const known = new Map<string, Promise<string | undefined>>();

const DEADLINE_MS = 3_000;
/** Lookups of a tenant at once. A thousand would keep the server from starting the runs of others for seconds. */
const AT_ONCE = 16;
/** How long a lookup waits for those before it, milliseconds. */
const WAIT_MS = 10_000;
const places = new PlacesByKey(AT_ONCE);
/** How long reading the result of a run may take, which may have to be fetched from a store and parsed, milliseconds. */
const RESULT_LIMIT_MS = 30_000;

export interface RunRecord {
  readonly workflowId: string;
  readonly traceId: string;
  /** The same as `traceId`. */
  readonly runId: string;
  readonly type: string;
  /**
   * `running`, `waiting`, `paused`, `completed`, `failed`, `cancelled`, `terminated` or `timed_out`. For a run that
   * continued as new it is the status of the latest run of its chain. If another chain has the workflow id by now, it is
   * `continued_as_new`, with the result of the run's own chain.
   */
  readonly status: string;
  readonly startedAt: string;
  readonly closedAt: string | null;
  /** The run that this one repeats, and the steps whose results it has from there; absent for all others. */
  readonly rerunOf?: Rerun['of'];
  readonly reused?: Rerun['reused'];
  /** Present on a completed run: the `data` of the response that waits for the run, or a `StoredJson` of it. */
  readonly result?: unknown;
  /** Present on a run that ended otherwise. */
  readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown };
}

/**
 * Identifies a run by its trace id (its Temporal run id), or as the latest run of a workflow id. A lookup by both is
 * the fastest.
 */
export type RunReference =
  | { readonly traceId: string; readonly workflowId?: string | undefined }
  | { readonly traceId?: undefined; readonly workflowId: string };

/** The runs that callers may look up. A namespace may also have runs of other applications. */
export interface LookupScope {
  readonly taskQueue: string;
  readonly workflowTypes: ReadonlySet<string>;
  /** Whose runs the caller may look up. */
  readonly owner: RunOwner;
}

/**
 * Builds what callers see of the result of a completed run.
 * @param type the workflow type of the run
 * @param readInput reads the input of the run from the server; called only if the data depends on it
 */
export type ToRunData = (
  type: string,
  result: unknown,
  readInput: () => Promise<unknown>,
) => Promise<unknown>;

export interface RunLookup extends LookupScope {
  readonly toData: ToRunData;
  readonly admit: AdmitBytes;
}

/** A lookup without what each request adds. */
export type ShownRuns = Omit<RunLookup, 'owner' | 'admit'>;

/**
 * Looks up a run of the scope. A run outside of it is treated as one that does not exist. A lookup by the trace id
 * alone asks the server's index, which shows a new run within about a second.
 * @throws HoldfastError `RUN_NOT_FOUND`, `ENGINE_UNAVAILABLE`, `STORE_UNAVAILABLE` if its result cannot be read
 */
export function findRun(engine: Engine, scope: RunLookup, reference: RunReference): Promise<RunRecord> {
  return orNotFound(reference, async () => {
    const locatedRun = await lookUp(engine, scope, reference);
    return callEngine(engine, RESULT_LIMIT_MS, (connection) => readRecord(connection, locatedRun, scope));
  });
}

/** A run that exists, without what came of it. */
export interface LocatedRun extends StartedRun {
  /** The workflow type. */
  readonly type: string;
  /** Whether the latest run of its chain is open. */
  readonly isOpen: boolean;
  /** How many events the history of that run has. */
  readonly historyLength: number;
}

/**
 * Looks up where a run of the scope is, without its result, which may be large.
 * @throws HoldfastError as `findRun` does
 */
export function locateRun(engine: Engine, scope: LookupScope, reference: RunReference): Promise<LocatedRun> {
  return orNotFound(reference, async () => {
    const { run, last } = await lookUp(engine, scope, reference);
    return {
      workflowId: run.workflowId,
      runId: run.runId,
      type: run.type,
      isOpen: isOpen(last.status),
      mayPause: run.memo?.[MAY_PAUSE_MEMO] === true,
      historyLength: last.historyLength,
    };
  });
}

interface FoundRun {
  readonly run: Description;
  /** The latest run of its chain. */
  readonly last: Description;
}

async function lookUp(engine: Engine, scope: LookupScope, reference: RunReference): Promise<FoundRun> {
  const { traceId, workflowId } = reference;
  const leave = await places.take(scope.owner.tenant, AbortSignal.timeout(WAIT_MS)).catch(() => {
    throw unavailable(engine.address, 'no answer in time');
  });
  try {
    return await callEngine(engine, DEADLINE_MS, async (connection) => {
      const id =
        traceId === undefined ? workflowId : (workflowId ?? (await findWorkflowId(connection, traceId)));
      if (id === undefined) throw notFound(reference);
      const run = await readRun(connection, id, traceId);
      if (!isInScope(run, scope)) throw notFound(reference);
      return { run, last: await readLatest(connection, run) };
    });
  } finally {
    leave();
  }
}

/** @throws HoldfastError `RUN_NOT_FOUND` if the server has no such run; what `find` throws */
async function orNotFound<T>(reference: RunReference, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    throw isMissingRun(error) ? notFound(reference) : error;
  }
}

/** The error for a run that does not exist, or not in the scope. */
export function notFound({ traceId, workflowId = '' }: RunReference): HoldfastError {
  const which = traceId === undefined ? `workflow id "${workflowId}"` : `trace id "${traceId}"`;
  return new HoldfastError('RUN_NOT_FOUND', `There is no run with the ${which}`);
}

type Description = Awaited<ReturnType<WorkflowHandle['describe']>>;

function readRun(
  { client }: EngineConnection,
  workflowId: string,
  traceId: string | undefined,
): Promise<Description> {
  return client.workflow.getHandle(workflowId, traceId).describe();
}

function isInScope(run: Description, { taskQueue, workflowTypes, owner }: LookupScope): boolean {
  return run.taskQueue === taskQueue && workflowTypes.has(run.type) && isRunOf(owner, run.workflowId);
}

async function readRecord(
  connection: EngineConnection,
  { run, last }: FoundRun,
  { toData, admit }: RunLookup,
): Promise<RunRecord> {
  const { workflowId } = run;
  const record = {
    workflowId,
    traceId: run.runId,
    runId: run.runId,
    type: run.type,
    status: describedStatus(last),
    startedAt: run.startTime.toISOString(),
    closedAt: last.closeTime?.toISOString() ?? null,
    ...rerunOf(run),
  };
  // The result of an open chain is not requested, because the client would wait for its end.
  if (isOpen(last.status) || (last !== run && last.status.name === 'CONTINUED_AS_NEW')) return record;
  try {
    const options = { mayStay: staysWhole(run.type), admit };
    const result = await readResult(connection, { workflowId, runId: last.runId }, options);
    if (result instanceof StoredJson) return { ...record, result };
    return {
      ...record,
      result: await toData(run.type, result, () =>
        readRunInput(connection, { workflowId, runId: run.runId }),
      ),
    };
  } catch (error) {
    // The run has its result, which could not be read into memory now.
    if (isHoldfastError(error) && error.code === 'SERVICE_BUSY') throw error;
    const ended = { workflowId, runId: last.runId };
    // The error names the first run of the chain, as the record does.
    const failure = toRunError(error, { workflowId, runId: run.runId });
    // For a completed run the error means that its stored result cannot be read, so it is not an error of the run.
    if (!isHoldfastError(failure) || last.status.name === 'COMPLETED') throw failure;
    const { code, message, details } = failure;
    const reason = last.status.name === 'CANCELLED' ? await readCancelReason(connection, ended) : undefined;
    const why = reason === undefined ? message : describeCancellation(reason);
    return { ...record, error: { code, message: why, details } };
  }
}

function rerunOf({ memo }: Description): Pick<RunRecord, 'rerunOf' | 'reused'> {
  const rerun = memo?.[RERUN_MEMO] as Rerun | undefined;
  return rerun === undefined ? {} : { rerunOf: rerun.of, reused: rerun.reused };
}

/**
 * Reads the latest run of a run's chain. If another chain has the workflow id by now, it returns the run itself:
 * its own chain has ended then, and the client follows it to the result.
 */
async function readLatest(connection: EngineConnection, run: Description): Promise<Description> {
  if (run.status.name !== 'CONTINUED_AS_NEW') return run;
  const latest = await readRun(connection, run.workflowId, undefined);
  return firstRunIdOf(latest) === firstRunIdOf(run) ? latest : run;
}

/**
 * Finds the workflow id of a run in the server's index, which shows a new run within about a second. The index is the slowest part of
 * a lookup, so it is asked once for those who follow or poll the same run.
 * @returns undefined if the index has no such run
 */
function findWorkflowId(connection: EngineConnection, traceId: string): Promise<string | undefined> {
  const workflowId = known.get(traceId) ?? askIndex(connection, traceId);
  // The run that was asked for last is the last.
  known.delete(traceId);
  known.set(traceId, workflowId);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  const forget = (): void => {
    if (known.get(traceId) === workflowId) known.delete(traceId);
  };
  workflowId.then((id) => id ?? forget(), forget);
  return workflowId;
}

async function askIndex({ client }: EngineConnection, traceId: string): Promise<string | undefined> {
  for await (const run of client.workflow.list({ query: `RunId = '${traceId}'`, pageSize: 1 }))
    return run.workflowId;
  return undefined;
}
