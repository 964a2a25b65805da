import { isRunEnd, type RunEvent } from '../../src/contracts/http/run-events';
import { DETAIL_LENGTH } from '../../src/contracts/json';
import { staysWhole } from '../../src/contracts/runs/outputs';
import { type Engine, unavailable } from '../engine';
import { NOT_FOUND, testGrpcStatus } from '../grpc-status';
import { LARGE_BYTES } from '../payloads/large-values';
import { StoredJson } from '../payloads/stored-json';
import { describeError, isTransient } from '../runs/run-errors';
import { notFound, type ToRunData } from '../runs/run-lookup';
import type { StartedRun, AdmitBytes } from '../runs/started-run';
import { isOfSteps } from './logged-events';
import { readHistory, type ReadOptions } from './read-history';
import { type OpenStep, RunLog } from './run-log';
import { readRunInput } from '../runs/run-result';

export interface ReadLogOptions extends ReadOptions {
  readonly toData: ToRunData;
  readonly admit: AdmitBytes;
}

/**
 * Waits for room for a long log. Each step has three events, and shows that many characters of its output at most.
 * @param atMost the number of events that are read
 * @throws what `admit` throws
 */
export async function admitLog(admit: AdmitBytes, historyLength: number, atMost = Infinity): Promise<void> {
  const bytes = Math.min(Math.ceil(historyLength / 3), atMost) * DETAIL_LENGTH;
  if (bytes > LARGE_BYTES) await admit(bytes);
}

/**
 * Reads the log of a run in pages, as callers see it.
 * @param log the run's log, to which the events are added
 * @throws as `readHistory` does
 */
export async function* readLog(
  engine: Engine,
  run: StartedRun,
  log: RunLog,
  { toData, admit, ...options }: ReadLogOptions,
): AsyncGenerator<RunEvent[], void, undefined> {
  const readData: ToRunData = async (type, result, input) => {
    if (!(result instanceof StoredJson)) return toData(type, result, input);
    return staysWhole(type) ? result : toData(type, await result.load(admit), input);
  };
  for await (const page of readHistory(engine, run, options)) {
    const events = page.flatMap((event) => log.add(event));
    const end = events.at(-1);
    if (end?.type === 'run.completed') {
      const input = (): Promise<unknown> => readRunInput(engine.current(), run);
      const data = await readData(log.workflowType, end.result, input);
      events.splice(-1, 1, { ...end, result: data });
    }
    yield events;
  }
}

/** The log of a run as it is at a moment. */
export interface RunLogSoFar {
  readonly events: readonly RunEvent[];
  /** Whether the last event is the end of the run. */
  readonly hasEnded: boolean;
  /** The steps whose end is not in the log. */
  readonly open: readonly OpenStep[];
}

/**
 * Reads the log of a run as far as it goes now, or a little more than its first `atMost` events.
 * @throws HoldfastError `RUN_NOT_FOUND`, `ENGINE_UNAVAILABLE` (also if the signal aborts), as `toData` does
 */
export async function readWholeLog(
  engine: Engine,
  run: StartedRun,
  {
    atMost = Infinity,
    withoutOutputs = false,
    ...options
  }: Omit<ReadLogOptions, 'follow'> & {
    readonly atMost?: number;
    /** Leaves out what steps returned, which can be long together. */
    readonly withoutOutputs?: boolean;
  },
): Promise<RunLogSoFar> {
  const log = new RunLog(run);
  const events: RunEvent[] = [];
  try {
    for await (const page of readLog(engine, run, log, { ...options, follow: false })) {
      events.push(...(withoutOutputs ? page.map(dropOutput) : page));
      if (events.length > atMost) break;
    }
  } catch (error) {
    throw toLogError(error, engine, run);
  }
  const last = events.at(-1);
  return { events, hasEnded: last !== undefined && isRunEnd(last), open: log.openSteps };
}

/**
 * Reads the log of a run as far as it goes now, without its result and without what its steps returned.
 * @throws HoldfastError as `readWholeLog` does
 */
export function readStepLog(engine: Engine, run: StartedRun, signal: AbortSignal): Promise<RunLogSoFar> {
  return readWholeLog(engine, run, {
    needs: isOfSteps,
    toData: (_type, result) => Promise.resolve(result),
    // The one large value of a log is the result, which is left out.
    admit: () => Promise.resolve(),
    withoutOutputs: true,
    signal,
  });
}

/** Leaves out what steps returned. Pure. */
export function dropOutput({ output: _, text: __, ...event }: RunEvent): RunEvent {
  return event;
}

/** Converts an error by which a log could not be read: `RUN_NOT_FOUND`, `ENGINE_UNAVAILABLE`, or unchanged. Pure. */
export function toLogError(error: unknown, { address }: Pick<Engine, 'address'>, run: StartedRun): unknown {
  if (testGrpcStatus(error, (status) => status === NOT_FOUND)) return notFound({ traceId: run.runId });
  return isTransient(error) ? unavailable(address, describeError(error)) : error;
}
