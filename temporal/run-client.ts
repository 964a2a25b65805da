import type { WorkflowStartOptions } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { HoldfastError, isHoldfastError } from '../src/errors';
import { beforeDeadline } from './deadline';
import type { Engine, EngineConnection } from './engine';
import { unavailable } from './engine';
import { describe, isTransient, refusesSearchAttributes, toRunError } from './run-errors';
import type { RunSubject } from './search-attributes';
import { searchAttributesOf } from './search-attributes';
import type { StartedRun } from './started-run';

/** A worker that dies with a workflow task is noticed after this long. */
const WORKFLOW_TASK_TIMEOUT = '3s';
/** How long starting a run may take before the caller hears that the engine is away, milliseconds. */
const START_LIMIT_MS = 8_000;
const RETRY_DELAY_MS = 200;
/** A worker polls anew at least this often (a long poll lasts a minute), milliseconds. */
const POLLER_FRESHNESS_MS = 70_000;

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
  /**
   * With an idempotency key in the workflow id: a digest of the request. The same digest joins the run that
   * is there, another one is refused.
   */
  readonly digest?: string;
}

export interface RunClient {
  /**
   * Starts a run and waits for its result. `onStarted` hears of the run as soon as it exists.
   * @throws HoldfastError the run's own failure; `ENGINE_UNAVAILABLE` when it could not be started;
   * `RUN_STILL_GOING` when the wait limit passed first; `RUN_CONFLICT` for a reused idempotency key
   */
  execute<R>(request: RunRequest, onStarted: (run: StartedRun) => void): Promise<R>;
}

export interface RunClientOptions {
  readonly engine: Engine;
  readonly taskQueue: string;
  /** How long `execute` waits for a result, milliseconds. */
  readonly waitLimitMs: number;
  /** Whether a worker on the same connection may take a run's first task without a round trip. */
  readonly eagerStart: boolean;
  /** Aborts when nobody can wait any longer: callers hear that their run goes on. */
  readonly stopping?: AbortSignal;
}

export function createRunClient(options: RunClientOptions): RunClient {
  const { engine, taskQueue, waitLimitMs, eagerStart, stopping } = options;

  function startOptions(request: RunRequest, withAttributes: boolean): WorkflowStartOptions {
    return {
      workflowId: request.workflowId,
      taskQueue,
      args: [request.input],
      workflowRunTimeout: request.runTimeoutMs,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: request.summary,
      requestEagerStart: eagerStart,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      ...(withAttributes ? { typedSearchAttributes: searchAttributesOf(request.subject) } : {}),
      ...(request.digest === undefined ? {} : { memo: { requestDigest: request.digest } }),
    };
  }

  async function start(connection: EngineConnection, request: RunRequest): Promise<StartedRun> {
    const deadline = Date.now() + Math.min(START_LIMIT_MS, waitLimitMs);
    try {
      return await beforeDeadline(connection.native, deadline, () => startOrJoin(connection, request));
    } catch (error) {
      throw isTransient(error) ? unavailable(engine.address, describe(error)) : startFailure(error);
    }
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
      if (refusesSearchAttributes(error)) return submit(false);
      if (error instanceof WorkflowExecutionAlreadyStartedError) return join(connection, request);
      throw error;
    }
  }

  /** The run that an earlier request with the same idempotency key started. */
  async function join({ client }: EngineConnection, request: RunRequest): Promise<StartedRun> {
    const run = await client.workflow.getHandle(request.workflowId).describe();
    if (run.memo?.['requestDigest'] !== request.digest) {
      throw new HoldfastError('RUN_CONFLICT', 'This Idempotency-Key was used before with another request');
    }
    return { workflowId: request.workflowId, runId: run.runId };
  }

  async function wait<R>(
    { client, native }: EngineConnection,
    run: StartedRun,
    deadline: number,
  ): Promise<R> {
    const handle = client.workflow.getHandle(run.workflowId, undefined, { firstExecutionRunId: run.runId });
    while (Date.now() < deadline && stopping?.aborted !== true) {
      try {
        return (await beforeDeadline(native, deadline, () => handle.result(), stopping)) as R;
      } catch (error) {
        // A server that restarts loses the call, not the run.
        if (!isTransient(error)) throw toRunError(error, run);
        await new Promise((resolve) =>
          setTimeout(resolve, Math.min(RETRY_DELAY_MS, Math.max(0, deadline - Date.now()))),
        );
      }
    }
    throw await stillGoing(run);
  }

  async function stillGoing({ workflowId, runId }: StartedRun): Promise<HoldfastError> {
    const why = stopping?.aborted === true ? 'The service is being stopped' : await whatIsSlow();
    return new HoldfastError('RUN_STILL_GOING', `${why}; the run goes on`, {
      details: { traceId: runId, workflowId },
      retryable: true,
    });
  }

  async function whatIsSlow(): Promise<string> {
    const late = `The run did not finish within the ${waitLimitMs} ms a request waits (WAIT_LIMIT_MS)`;
    return (await hasWorker()) ? late : `${late}. No worker is polling the task queue "${taskQueue}"`;
  }

  async function hasWorker(): Promise<boolean> {
    try {
      const { native, namespace } = engine.current();
      const { pollers } = await beforeDeadline(native, Date.now() + 1_000, () =>
        native.workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: taskQueue },
          taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        }),
      );
      const since = Date.now() - POLLER_FRESHNESS_MS;
      return pollers.some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000 > since);
    } catch {
      // Not knowing is no reason to alarm anybody.
      return true;
    }
  }

  return {
    async execute<R>(request: RunRequest, onStarted: (run: StartedRun) => void): Promise<R> {
      const deadline = Date.now() + waitLimitMs;
      const connection = engine.current();
      const run = await start(connection, request);
      onStarted(run);
      return wait<R>(connection, run, deadline);
    },
  };
}

function startFailure(error: unknown): unknown {
  if (isHoldfastError(error)) return error;
  const reason = describe(error);
  return /too large|larger than max|exceeds.*limit/i.test(reason)
    ? new HoldfastError('PAYLOAD_TOO_LARGE', `The request is too large for one run: ${reason}`, {
        cause: error,
      })
    : new HoldfastError('INTERNAL', 'The run could not be started', { cause: error });
}
