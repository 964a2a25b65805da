import type { WorkflowStartOptions } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { fitNames } from '../src/contracts/runs/search-attributes';
import { HoldfastError, isHoldfastError } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import { beforeDeadline, EngineDeadlineError } from './deadline';
import type { Engine, EngineConnection } from './engine';
import { unavailable } from './engine';
import { failureIn } from './failures';
import type { RunKey } from './keyed-runs';
import { findKeyedRun, sameRun } from './keyed-runs';
import { PLACE_MEMO } from './run-state';
import { describe, isTransient, refusesSearchAttributes, toRunError } from './run-errors';
import type { RunSubject } from './search-attributes';
import { searchAttributesOf } from './search-attributes';
import { whatIsSlow } from './slow-run';
import type { StartedRun } from './started-run';
import { waitDelays } from './wait-delay';

/** A worker that dies with a workflow task is noticed after this long. */
const WORKFLOW_TASK_TIMEOUT = '3s';
/** How long starting a run may take before the caller hears that the engine is away, milliseconds. */
const START_LIMIT_MS = 8_000;
/** The answer that a run goes on is written this long before the limit, so that it is out in time, milliseconds. */
const ANSWER_LEAD_MS = 20;
/** What a slow run waits for is asked this long before the answer, milliseconds. */
const QUESTION_LEAD_MS = 1_000;

export interface RunRequest {
  /** Name of a workflow in `workflows/index.ts`. */
  readonly workflowType: string;
  readonly workflowId: string;
  readonly input: unknown;
  readonly subject: RunSubject;
  /** One line for the Temporal UI. */
  readonly summary: string;
  /** Longest life of the run, milliseconds. */
  readonly runTimeoutMs: number;
  /** Kept in the run's memo, so that the lines logged about a request lead to its run and back. */
  readonly requestId: string;
  /** Epoch milliseconds after which the run must not be started any more; absent: only the client's own limit. */
  readonly startBefore?: number | undefined;
  /** Kept in the run's memo: which place in its session it was started with, by the time that was taken. */
  readonly placedAt?: number | undefined;
  /** As in `RunKey`; absent where the workflow id is the request's own. */
  readonly digest?: string;
}

/** What an idempotency key leads to: the result of its run, or the workflow id under which a run may be started. */
export type JoinedRun<R> = { readonly result: R } | { readonly freeWorkflowId: string };

type OnStarted = (run: StartedRun) => void;

export interface RunClient {
  /**
   * Starts a run and waits for its result. `onStarted` hears of the run as soon as it exists.
   * @throws HoldfastError the run's own failure; `ENGINE_UNAVAILABLE` when it could not be started;
   * `RUN_STILL_GOING` when the wait limit passed first; `RUN_CONFLICT` for a reused idempotency key
   */
  execute<R>(request: RunRequest, onStarted: OnStarted): Promise<R>;
  /**
   * Waits for the run that an earlier request with the same key started, where there is one.
   * @throws HoldfastError as `execute` does
   */
  join<R>(key: RunKey, onStarted: OnStarted): Promise<JoinedRun<R>>;
}

export interface RunClientOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly taskQueue: string;
  /** How long `execute` waits for a result, milliseconds. */
  readonly waitLimitMs: number;
  /** Whether a worker on the same connection may take a run's first task without a round trip; absent: never. */
  readonly eagerStart?: (() => boolean) | undefined;
  /** Aborts when nobody can wait any longer: callers hear that their run goes on. */
  readonly stopping?: AbortSignal;
}

export function createRunClient(options: RunClientOptions): RunClient {
  const { engine, logger, taskQueue, waitLimitMs, eagerStart, stopping } = options;
  let toldOfRefusal = false;

  function startOptions(request: RunRequest, withAttributes: boolean): WorkflowStartOptions {
    return {
      workflowId: request.workflowId,
      taskQueue,
      args: [request.input],
      workflowRunTimeout: request.runTimeoutMs,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: request.summary,
      requestEagerStart: eagerStart?.() ?? false,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      ...(withAttributes ? { typedSearchAttributes: searchAttributesOf(fitSubject(request.subject)) } : {}),
      memo: {
        requestId: request.requestId,
        ...(request.digest === undefined ? {} : { requestDigest: request.digest }),
        ...(request.placedAt === undefined ? {} : { [PLACE_MEMO]: request.placedAt }),
      },
    };
  }

  /** A call at the start of a request, bounded: its errors are ours. */
  async function early<T>(
    { native }: EngineConnection,
    workflowId: string,
    {
      started,
      startBefore = Infinity,
    }: { readonly started: number; readonly startBefore?: number | undefined },
    call: () => Promise<T>,
  ): Promise<T> {
    const deadline = Math.min(started + Math.min(START_LIMIT_MS, waitLimitMs), startBefore);
    try {
      if (deadline <= Date.now()) throw new EngineDeadlineError();
      return await beforeDeadline(native, deadline, call);
    } catch (error) {
      throw isTransient(error) ? notAcknowledged(workflowId, error) : startFailure(error);
    }
  }

  /** The server may have taken the run without being able to say so, or take it yet. */
  function notAcknowledged(workflowId: string, error: unknown): HoldfastError {
    const { message, details } = unavailable(engine.address, describe(error));
    const advice = 'The run may be started all the same; with an Idempotency-Key a repeat joins it';
    return new HoldfastError('ENGINE_UNAVAILABLE', `${message}. ${advice}`, {
      details: { ...details, workflowId },
      retryable: true,
      cause: error,
    });
  }

  async function startOrJoin(connection: EngineConnection, request: RunRequest): Promise<StartedRun> {
    const submit = async (withAttributes: boolean): Promise<StartedRun> => {
      const options = startOptions(request, withAttributes);
      const handle = await connection.client.workflow.start(request.workflowType, options);
      return { workflowId: request.workflowId, runId: handle.firstExecutionRunId };
    };
    try {
      return await submit(connection.searchAttributes);
    } catch (error) {
      if (refusesSearchAttributes(error)) {
        tellOfRefusal(error);
        return submit(false);
      }
      if (error instanceof WorkflowExecutionAlreadyStartedError) return sameRun(connection, request);
      throw error;
    }
  }

  function tellOfRefusal(error: unknown): void {
    if (toldOfRefusal) return;
    toldOfRefusal = true;
    const consequence =
      'runs whose search attributes the server refuses start without them and cannot be filtered';
    logger.warn({ reason: describe(error) }, consequence);
  }

  async function wait<R>(connection: EngineConnection, run: StartedRun, started: number): Promise<R> {
    const { client, native } = connection;
    const answerAt = started + waitLimitMs - ANSWER_LEAD_MS;
    const handle = client.workflow.getHandle(run.workflowId, undefined, { firstExecutionRunId: run.runId });
    const over = new AbortController();
    const end = (): void => over.abort();
    const delayAfter = waitDelays();
    let reason: Promise<string> | undefined;
    const question = setTimeout(
      () => {
        reason = whyItIsSlow(connection, run, answerAt);
      },
      answerAt - Math.min(QUESTION_LEAD_MS, waitLimitMs / 2) - Date.now(),
    );
    const limit = setTimeout(end, answerAt - Date.now());
    stopping?.addEventListener('abort', end, { once: true });
    try {
      while (!over.signal.aborted && stopping?.aborted !== true) {
        try {
          return (await beforeDeadline(native, answerAt, () => handle.result(), over.signal)) as R;
        } catch (error) {
          // A server that restarts loses the call, not the run.
          if (!isTransient(error)) throw toRunError(error, run);
          await pause(delayAfter(error), over.signal);
        }
      }
      throw await stillGoing(run, reason);
    } finally {
      clearTimeout(question);
      clearTimeout(limit);
      stopping?.removeEventListener('abort', end);
    }
  }

  async function stillGoing(run: StartedRun, reason: Promise<string> | undefined): Promise<HoldfastError> {
    const late = `The run did not finish within the ${waitLimitMs} ms a request waits (WAIT_LIMIT_MS)`;
    const why =
      stopping?.aborted === true ? 'The service is being stopped' : `${late}${(await reason) ?? ''}`;
    return new HoldfastError('RUN_STILL_GOING', `${why}; the run goes on`, {
      details: { traceId: run.runId, workflowId: run.workflowId },
      retryable: true,
    });
  }

  /** Sentences about queues that nobody polls; nothing where that is not known, which is no reason to alarm anybody. */
  async function whyItIsSlow(
    connection: EngineConnection,
    run: StartedRun,
    answerAt: number,
  ): Promise<string> {
    try {
      // The deadline has a little slack of its own.
      return await beforeDeadline(connection.native, answerAt - 100, () =>
        whatIsSlow(connection, run, taskQueue),
      );
    } catch {
      return '';
    }
  }

  return {
    async execute<R>(request: RunRequest, onStarted: OnStarted): Promise<R> {
      const started = Date.now();
      const connection = engine.current();
      const { workflowId, startBefore } = request;
      const run = await early(connection, workflowId, { started, startBefore }, () =>
        startOrJoin(connection, request),
      );
      onStarted(run);
      return wait<R>(connection, run, started);
    },
    async join<R>(key: RunKey, onStarted: OnStarted): Promise<JoinedRun<R>> {
      const started = Date.now();
      const connection = engine.current();
      const found = await early(connection, key.workflowId, { started }, () => findKeyedRun(connection, key));
      if ('freeWorkflowId' in found) return found;
      onStarted(found.run);
      return { result: await wait<R>(connection, found.run, started) };
    },
  };
}

/** The server refuses a run whose names take more than one value holds. */
function fitSubject(subject: RunSubject): RunSubject {
  return subject.tools === undefined ? subject : { ...subject, tools: fitNames(subject.tools) };
}

/** Ends early, and without an error, when `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function startFailure(error: unknown): unknown {
  if (isHoldfastError(error)) return error;
  // The input could not be stored.
  const failure = failureIn(error);
  if (failure !== undefined) return failure;
  const reason = describe(error);
  return /too large|larger than max|exceeds.*limit/i.test(reason)
    ? new HoldfastError('PAYLOAD_TOO_LARGE', `The request is too large for one run: ${reason}`, {
        cause: error,
      })
    : new HoldfastError('INTERNAL', 'The run could not be started', { cause: error });
}
