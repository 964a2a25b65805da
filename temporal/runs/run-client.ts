import type { WorkflowStartOptions } from '@temporalio/client';
import { type TypedSearchAttributes, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { Approval } from '../../src/contracts/http/approvals';
import type { HeldFiles } from '../../src/contracts/runs/files';
import { fitNames } from '../../src/contracts/runs/search-attributes';
import { staysWhole } from '../../src/contracts/runs/outputs';
import { HoldfastError, isHoldfastError } from '../../src/base/errors';
import type { Logger } from '../../src/base/logger';
import { beforeDeadline, EngineDeadlineError } from '../deadline';
import { type Engine, type EngineConnection, unavailable } from '../engine';
import { findFailure } from '../failures';
import { findKeyedRun, findRunOfRequest, type RunKey } from './keyed-runs';
import { readResult, type ResultOptions } from './run-result';
import { describeRerun, type NotedRequest, toMemo } from './run-memo';
import { describeError, isTransient, toRunError } from './run-errors';
import { startedStatus } from './run-status';
import { withKnownAttributes } from './known-attributes';
import { type KnownAttributes, type RunSubject, toSearchAttributes } from '../search-attributes';
import { serverClock } from '../server-clock';
import { diagnoseSlowRun } from './slow-run';
import type { StartedRun, AdmitBytes } from './started-run';
import { createWaitDelays } from './run-wait';

/** After this time the server notices that a worker has died with a workflow task. */
const WORKFLOW_TASK_TIMEOUT = '3s';
/** How long starting a run may take before the API answers that the engine is away, ms. */
const START_LIMIT_MS = 8_000;
/** How long before the limit the API answers that a run continues, so that the answer is sent in time, ms. */
const ANSWER_LEAD_MS = 20;
/** How long before that answer the API asks the server what the run waits for, ms. */
const QUESTION_LEAD_MS = 1_000;
const WAIT_IS_OVER = 'the wait is over';

export interface RunRequest extends NotedRequest {
  /** Name of a workflow in `workflows/index.ts`. */
  readonly workflowType: string;
  readonly workflowId: string;
  readonly input: unknown;
  /** The second argument of the workflow; absent: it has one. */
  readonly files?: HeldFiles | undefined;
  readonly subject: RunSubject;
  /** One line for the Temporal UI. */
  readonly summary: string;
  /**
   * Epoch milliseconds, by the clock of the Temporal server, after which the run must not be started any more; absent if
   * only the client's own limit applies.
   */
  readonly startBefore?: number | undefined;
}

/** How a request waits for its run. */
export interface RunWaiting {
  /** A limit of the wait that is shorter than that of the client, milliseconds; with 0 nothing is waited for. */
  readonly waitMs?: number | undefined;
  /** Takes room for a large result that is read into memory. That of a type that `staysWhole` is a `StoredJson`. */
  readonly admit: AdmitBytes;
}

/** The result of a key's run, or the workflow id under which a run of the key may be started. */
export type JoinedRun<R> = { readonly result: R } | { readonly freeWorkflowId: string };

/** How code waits that is no request. */
const WITHOUT_LIMIT: RunWaiting = { admit: () => Promise.resolve() };

type OnStarted = (run: StartedRun) => void;

export interface RunClient {
  /**
   * Starts a run and waits for its result. `onStarted` is called as soon as the run exists.
   * @throws HoldfastError the failure of the run; `ENGINE_UNAVAILABLE` if it could not be started;
   * `RUN_STILL_GOING` if it did not end within the wait limit; `RUN_PAUSED` if it waits for a person; `RUN_CONFLICT` for an idempotency key of another
   * request
   */
  execute<R>(request: RunRequest, onStarted: OnStarted, waiting?: RunWaiting): Promise<R>;
  /**
   * Waits for the run that an earlier request with the same key has started, if there is one.
   * @throws HoldfastError as `execute` does
   */
  join<R>(key: RunKey, onStarted: OnStarted, waiting?: RunWaiting): Promise<JoinedRun<R>>;
}

export interface RunClientOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly taskQueue: string;
  /** How long `execute` waits for a result, ms. */
  readonly waitLimitMs: number;
  /**
   * Whether a worker on the same connection may take the first task of a run without a round trip; absent for never.
   */
  readonly eagerStart?: (() => boolean) | undefined;
  /** Resolves with the approvals that a run waits for, empty if it ends or the signal aborts first. Never rejects. */
  readonly untilPaused?: (run: StartedRun, signal: AbortSignal) => Promise<readonly Approval[]>;
  /** Aborts when the service stops. Requests that wait then get the answer that their run continues. */
  readonly stopping?: AbortSignal;
}

export function createRunClient(options: RunClientOptions): RunClient {
  const { engine, logger, taskQueue, waitLimitMs, eagerStart, untilPaused, stopping } = options;
  let hasLoggedRefusal = false;

  function startOptions(request: RunRequest, subject: TypedSearchAttributes): WorkflowStartOptions {
    const files = request.files?.current;
    return {
      workflowId: request.workflowId,
      taskQueue,
      args: files === undefined ? [request.input] : [request.input, files],
      workflowRunTimeout: request.runTimeoutMs,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: request.summary,
      ...(request.rerun === undefined ? {} : { staticDetails: describeRerun(request.rerun) }),
      requestEagerStart: eagerStart?.() ?? false,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      typedSearchAttributes: subject,
      memo: toMemo(request),
    };
  }

  /** Makes a call at the start of a request within the time limit, and converts its errors to those of the service. */
  async function withStartLimit<T>(
    { native }: EngineConnection,
    workflowId: string,
    {
      started,
      startBefore = Infinity,
    }: { readonly started: number; readonly startBefore?: number | undefined },
    call: () => Promise<T>,
  ): Promise<T> {
    const given = Date.now() + startBefore - serverClock.now();
    const deadline = Math.min(started + Math.min(START_LIMIT_MS, waitLimitMs), given);
    try {
      if (deadline <= Date.now()) throw new EngineDeadlineError();
      return await beforeDeadline(native, deadline, call);
    } catch (error) {
      throw isTransient(error) ? toUnacknowledgedError(workflowId, error) : toStartError(error);
    }
  }

  /** The error for a start without an answer. The server may have started the run, or may still start it. */
  function toUnacknowledgedError(workflowId: string, error: unknown): HoldfastError {
    const { message, details } = unavailable(engine.address, describeError(error));
    const advice = 'The run may have started; a repeat with the same Idempotency-Key joins it';
    return new HoldfastError('ENGINE_UNAVAILABLE', `${message}. ${advice}`, {
      details: { ...details, workflowId },
      retryable: true,
      cause: error,
    });
  }

  async function startOrJoin(connection: EngineConnection, request: RunRequest): Promise<StartedRun> {
    const submit = async (known: KnownAttributes): Promise<StartedRun> => {
      const subject = toSearchAttributes(fitSubject(request.subject), known);
      const options = startOptions(request, subject);
      const handle = await connection.client.workflow.start(request.workflowType, options);
      const { workflowId, runTimeoutMs } = request;
      return {
        workflowId,
        runId: handle.firstExecutionRunId,
        status: startedStatus(subject),
        mayPause: runTimeoutMs === undefined,
      };
    };
    try {
      return await withKnownAttributes(connection.searchAttributes, submit, logRefusal);
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return findRunOfRequest(connection, request);
      throw error;
    }
  }

  function logRefusal(error: unknown): void {
    if (hasLoggedRefusal) return;
    hasLoggedRefusal = true;
    const consequence =
      'runs whose search attributes the server refuses start without them and cannot be filtered';
    logger.warn({ reason: describeError(error) }, consequence);
  }

  async function wait<R>(
    connection: EngineConnection,
    run: StartedRun,
    { started, waitMs = waitLimitMs, ...reading }: RunWaiting & ResultOptions & { readonly started: number },
  ): Promise<R> {
    const { native } = connection;
    const answerAt = started + Math.min(waitMs, waitLimitMs) - ANSWER_LEAD_MS;
    if (answerAt <= Date.now()) throw await toStillGoingError(run, undefined);
    const over = new AbortController();
    // With a reason of its own, the abort creates no error with a stack trace.
    const end = (): void => over.abort(WAIT_IS_OVER);
    const delayAfter = createWaitDelays();
    let reason: Promise<string> | undefined;
    const question = setTimeout(
      () => {
        reason = explainSlowness(connection, run, answerAt);
      },
      Math.max(0, answerAt - Math.min(QUESTION_LEAD_MS, waitLimitMs / 2) - Date.now()),
    );
    const limit = setTimeout(end, Math.max(0, answerAt - Date.now()));
    let approvals: readonly Approval[] = [];
    if (run.mayPause === true && untilPaused !== undefined) {
      void untilPaused(run, over.signal).then((pending) => {
        approvals = pending;
        if (pending.length > 0) end();
      });
    }
    stopping?.addEventListener('abort', end, { once: true });
    try {
      while (!over.signal.aborted && stopping?.aborted !== true) {
        try {
          return (await beforeDeadline(
            native,
            answerAt,
            () => readResult(connection, run, reading),
            over.signal,
          )) as R;
        } catch (error) {
          // The call is repeated, because a server that restarts loses the call but not the run.
          if (!isTransient(error)) throw toRunError(error, run);
          await delayUnlessAborted(delayAfter(error), over.signal);
        }
      }
      throw approvals.length > 0 ? pausedError(run, approvals) : await toStillGoingError(run, reason);
    } finally {
      end();
      clearTimeout(question);
      clearTimeout(limit);
      stopping?.removeEventListener('abort', end);
    }
  }

  async function toStillGoingError(
    run: StartedRun,
    reason: Promise<string> | undefined,
  ): Promise<HoldfastError> {
    const late = `The run did not finish within the ${waitLimitMs} ms a request waits (WAIT_LIMIT_MS)`;
    const why =
      stopping?.aborted === true ? 'The service is being stopped' : `${late}${(await reason) ?? ''}`;
    return new HoldfastError('RUN_STILL_GOING', `${why}; the run continues`, {
      details: { traceId: run.runId, workflowId: run.workflowId },
      retryable: true,
    });
  }

  /**
   * Describes queues that no worker polls. Empty if the server cannot be asked, because that alone does not slow a
   * run.
   */
  async function explainSlowness(
    connection: EngineConnection,
    run: StartedRun,
    answerAt: number,
  ): Promise<string> {
    try {
      // The deadline is 100 ms earlier, because `beforeDeadline` may take up to 100 ms longer.
      return await beforeDeadline(connection.native, answerAt - 100, () =>
        diagnoseSlowRun(connection, run, taskQueue),
      );
    } catch {
      return '';
    }
  }

  return {
    async execute<R>(request: RunRequest, onStarted: OnStarted, waiting = WITHOUT_LIMIT): Promise<R> {
      const started = Date.now();
      const connection = engine.current();
      const { workflowId, startBefore } = request;
      const run = await withStartLimit(connection, workflowId, { started, startBefore }, () =>
        startOrJoin(connection, request),
      );
      onStarted(run);
      const mayStay = staysWhole(request.workflowType);
      return wait<R>(connection, run, { started, mayStay, ...waiting });
    },
    async join<R>(key: RunKey, onStarted: OnStarted, waiting = WITHOUT_LIMIT): Promise<JoinedRun<R>> {
      const started = Date.now();
      const connection = engine.current();
      const keyedRun = await withStartLimit(connection, key.workflowId, { started }, () =>
        findKeyedRun(connection, key),
      );
      if ('freeWorkflowId' in keyedRun) return keyedRun;
      onStarted(keyedRun.run);
      const mayStay = staysWhole(keyedRun.workflowType);
      return { result: await wait<R>(connection, keyedRun.run, { started, mayStay, ...waiting }) };
    },
  };
}

function pausedError({ runId, workflowId }: StartedRun, approvals: readonly Approval[]): HoldfastError {
  return new HoldfastError('RUN_PAUSED', 'The run waits for an approval', {
    details: { traceId: runId, workflowId, approvals },
  });
}

/** Shortens the list of tool names, because the server refuses a run if it exceeds the size of one value. */
export function fitSubject(subject: RunSubject): RunSubject {
  return subject.tools === undefined ? subject : { ...subject, tools: fitNames(subject.tools) };
}

/** Waits, and resolves early without an error when `signal` aborts. */
function delayUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
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

function toStartError(error: unknown): unknown {
  if (isHoldfastError(error)) return error;
  // A failure here means that the input could not be stored.
  const failure = findFailure(error);
  if (failure !== undefined) return failure;
  const reason = describeError(error);
  return /too large|larger than max|exceeds.*limit/i.test(reason)
    ? new HoldfastError('PAYLOAD_TOO_LARGE', `The request is too large for one run: ${reason}`, {
        cause: error,
      })
    : new HoldfastError('INTERNAL', 'The run could not be started', { cause: error });
}
