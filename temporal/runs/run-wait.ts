import { setTimeout as delay } from 'node:timers/promises';
import { temporal } from '@temporalio/proto';
import { beforeDeadline } from '../deadline';
import type { Engine, EngineConnection } from '../engine';
import { NOT_FOUND, testGrpcStatus } from '../grpc-status';
import { isTransient, isBusy } from './run-errors';
import { findRun, type RunLookup, type RunRecord, type RunReference } from './run-lookup';
import type { StartedRun } from './started-run';
import { findYoungRun } from './young-run';

/** Delay after a lost connection, ms. It is short because callers wait. */
const LOST_MS = 200;
/** Delay after the server first refused a waiting request, ms. It doubles with each further refusal. */
const BUSY_FIRST_MS = 400;
const BUSY_MAX_MS = 10_000;

const CLOSE_EVENT = temporal.api.enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;

export interface RunWait {
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Ends the wait early, for example when the caller has gone. */
  readonly signal: AbortSignal;
}

/**
 * Looks up a run and waits until it has ended. A run that continued as new is waited for until the end of its chain.
 * @returns the record of the run; that of an open run if the time is over or the signal aborts
 * @throws HoldfastError as `findRun` does
 */
export async function waitForRun(
  engine: Engine,
  scope: RunLookup,
  reference: RunReference,
  { timeoutMs, signal }: RunWait,
): Promise<RunRecord> {
  const deadline = Date.now() + timeoutMs;
  const record = await findYoungRun(engine, scope, reference);
  if (hasEnded(record) || !(await endsBefore(engine, record, deadline, signal))) return record;
  return findRun(engine, scope, record);
}

/** Whether a record is final. Only such a record has a result or an error. Pure. */
export function hasEnded(record: RunRecord): boolean {
  return 'result' in record || 'error' in record;
}

/** @returns false if the time was over or the signal aborted first; true also for a run that was deleted */
async function endsBefore(
  engine: Engine,
  { workflowId, traceId }: RunRecord,
  deadline: number,
  signal: AbortSignal,
): Promise<boolean> {
  const delayAfter = createWaitDelays();
  const isOver = (): boolean => signal.aborted || Date.now() >= deadline;
  let run: StartedRun = { workflowId, runId: traceId };
  while (!isOver()) {
    try {
      const connection = engine.current();
      const next = await beforeDeadline(
        connection.native,
        deadline,
        () => pollForEnd(connection, run),
        signal,
      );
      if (next === undefined) return true;
      run = next;
    } catch (error) {
      // The wait is repeated, because a server that restarts loses the call but not the run.
      if (testGrpcStatus(error, (status) => status === NOT_FOUND)) return true;
      if (!isTransient(error)) throw error;
      const pause = Math.min(delayAfter(error), deadline - Date.now());
      if (!isOver()) await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }
  return false;
}

/**
 * Makes one request that the server answers when the run ends, or without an event after about 20 s.
 * @returns the run to ask for next; undefined if the run has ended and no other continues it
 */
async function pollForEnd(
  { client, namespace }: EngineConnection,
  run: StartedRun,
): Promise<StartedRun | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: run,
    waitNewEvent: true,
    historyEventFilterType: CLOSE_EVENT,
    skipArchival: true,
  });
  const [end] = history?.events ?? [];
  if (!end) return run;
  const runId = findSuccessor(end);
  return runId === undefined ? undefined : { ...run, runId };
}

/** The id of the run that continues one that has ended with this event. */
function findSuccessor(end: temporal.api.history.v1.IHistoryEvent): string | undefined {
  const attributes =
    end.workflowExecutionContinuedAsNewEventAttributes ??
    end.workflowExecutionFailedEventAttributes ??
    end.workflowExecutionTimedOutEventAttributes ??
    end.workflowExecutionCompletedEventAttributes;
  return attributes?.newExecutionRunId || undefined;
}

/**
 * Creates a function that returns how long to wait after an error before the wait for a run is repeated, ms. The
 * delays grow while the server has too many waiting requests, and are random, so that not all callers repeat at the
 * same moment.
 * @param random returns a number from 0 to 1
 */
export function createWaitDelays(random: () => number = Math.random): (error: unknown) => number {
  let refusals = 0;
  return (error) => {
    if (!isBusy(error)) {
      refusals = 0;
      return LOST_MS;
    }
    const maxMs = Math.min(BUSY_FIRST_MS * 2 ** refusals, BUSY_MAX_MS);
    refusals += 1;
    return maxMs * (0.5 + random() / 2);
  };
}
