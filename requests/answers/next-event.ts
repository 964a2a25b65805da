import { WorkflowNotFoundError } from '@temporalio/common';
import type { BytesInFlight } from '../../src/base/async/bytes-in-flight';
import { type HoldfastError, isHoldfastError } from '../../src/base/errors';
import { isRunEnd, type RunEvent } from '../../src/contracts/http/run-events';
import { ownerOfRun, partOf } from '../../src/contracts/runs/run-owner';
import type { EventQuestion, NextEvent } from '../../src/contracts/runs/webhooks';
import type { Redactor } from '../../src/secrets/redactor';
import type { Engine } from '../../temporal/engine';
import { readStepLog } from '../../temporal/run-events/read-log';
import { callEngine } from '../../temporal/runs/call-engine';
import { firstRunIdOf } from '../../temporal/runs/run-chains';
import { findRun, type RunRecord } from '../../temporal/runs/run-lookup';
import { describedStatus, isOpenStatus } from '../../temporal/runs/run-status';
import { toEventBody } from './event-body';
import { toRunData } from './run-data';
import { withSteps } from './with-steps';

export interface NextEventPorts {
  readonly engine: Engine;
  readonly taskQueue: string;
  readonly inFlight: BytesInFlight;
  readonly redactor: Redactor;
  /** Epoch milliseconds by the clock of the Temporal server. */
  readonly now: () => number;
}

type WantedEvent = Pick<RunEvent, 'type' | 'time' | 'sequence'>;

const DEADLINE_MS = 3_000;

/**
 * Reads the next wanted event of a run, with the body of the message about it. A run whose end alone is wanted has its log not read.
 * @returns `none` if no other one will come, `later` if it has not happened yet, `missing` if the run was never started
 * @throws HoldfastError `ENGINE_UNAVAILABLE`, `STORE_UNAVAILABLE` (retryable), and the client's errors
 */
export async function readNextEvent(
  ports: NextEventPorts,
  { workflowId, digest, events, after, seen, startedBefore }: EventQuestion,
  signal: AbortSignal,
): Promise<NextEvent | 'none' | 'later' | 'missing'> {
  const run = await describe(ports.engine, workflowId);
  if (run === undefined && ports.now() < startedBefore) return 'later';
  if (run === undefined) return after === 0 && seen === undefined ? 'missing' : 'none';
  // Another request with this key has started the run, so this one was refused.
  if (digest !== undefined && run.memo?.['requestDigest'] !== digest) return 'none';
  const status = describedStatus(run);
  const isOver = !isOpenStatus(status) && status !== 'continued_as_new';
  const { historyLength } = run;
  const wantsEndOnly = events.every((type) => isRunEnd({ type: type as RunEvent['type'] }));
  if (!isOver && (wantsEndOnly || historyLength === seen)) return 'later';

  const runId = firstRunIdOf(run);
  const earlier = wantsEndOnly ? [] : await readEvents(ports.engine, { workflowId, runId }, signal);
  const end: WantedEvent = {
    type: `run.${status}` as RunEvent['type'],
    time: (run.closeTime ?? run.startTime).toISOString(),
    sequence: (earlier.at(-1)?.sequence ?? 0) + 1,
  };
  const wanted = [...earlier, ...(isOver ? [end] : [])].filter(
    ({ type, sequence }) => sequence > after && events.includes(type),
  );
  const [next, ...further] = wanted;
  if (next === undefined) return isOver ? 'none' : 'later';
  const record: RunRecord = {
    workflowId,
    traceId: runId,
    runId,
    type: run.type,
    status,
    startedAt: run.startTime.toISOString(),
    closedAt: isOver ? end.time : null,
  };
  const shown = await withSteps(ports.engine, await readRecord(ports, record, signal), ports);
  return {
    type: next.type,
    runId,
    name: isRunEnd(next) ? 'end' : String(next.sequence),
    sequence: next.sequence,
    body: toEventBody(next, { ...shown }),
    isLast: isOver && further.length === 0,
    seen: further.length === 0 ? historyLength : undefined,
  };
}

/** @returns undefined if there is no such run */
function describe(engine: Engine, workflowId: string) {
  return callEngine(engine, DEADLINE_MS, async ({ client }) => {
    try {
      return await client.workflow.getHandle(workflowId).describe();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  });
}

/** Reads the events of a run except its end, whose result may be large. */
async function readEvents(
  engine: Engine,
  run: Pick<RunRecord, 'workflowId' | 'runId'>,
  signal: AbortSignal,
): Promise<readonly WantedEvent[]> {
  const log = await readStepLog(engine, run, signal);
  return log.events.filter((event) => !isRunEnd(event));
}

/** Adds what came of a run to its record; nothing if that cannot be read any more. */
async function readRecord(
  { engine, taskQueue, inFlight }: NextEventPorts,
  record: RunRecord,
  signal: AbortSignal,
): Promise<RunRecord> {
  const owner = ownerOfRun(record.workflowId);
  const taken: (() => void)[] = [];
  const scope = {
    taskQueue,
    workflowTypes: new Set([record.type]),
    owner,
    toData: toRunData,
    admit: async (bytes: number) => {
      taken.push(await inFlight.take({ ...partOf(owner), bytes, signal, waitMs: Infinity }));
    },
  };
  try {
    return await findRun(engine, scope, record);
  } catch (error) {
    if (isHoldfastError(error) && !mayBeReadLater(error)) return record;
    throw error;
  } finally {
    for (const giveBack of taken) giveBack();
  }
}

/** A failure of the store that the client has passed on does not say whether it may be repeated. A lost value stays lost. */
function mayBeReadLater({ code, details, retryable }: HoldfastError): boolean {
  return code === 'STORE_UNAVAILABLE' ? details?.['reason'] !== 'missing' : retryable;
}
