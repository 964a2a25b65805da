import { HoldfastError } from '../../src/base/errors';
import { beforeDeadline } from '../deadline';
import { type Engine, type EngineConnection, unavailable } from '../engine';
import { ERASURE_RUN } from './erasure-run';
import { ALREADY_EXISTS, NOT_FOUND, testGrpcStatus } from '../grpc-status';
import { firstRunIdOf } from './run-chains';
import { describeError, isTransient } from './run-errors';
import { readResult } from './run-result';
import { findRun, type RunLookup, type RunRecord, type RunReference } from './run-lookup';
import { findYoungRun } from './young-run';

/** How long a response waits for the end of a run that was asked to end, ms. */
const ENDS_WITHIN_MS = 2_000;
const REQUEST_LIMIT_MS = 5_000;
/** The reason of a cancellation for which the caller gave none. */
const NO_REASON = 'requested through the API';

/** How to stop a run, and why. A cancelled run ends its steps first; a terminated run ends at once. */
export type StopRequest =
  | { readonly how: 'cancel'; readonly reason?: string | undefined }
  | { readonly how: 'terminate'; readonly reason: string };

/**
 * Stops a run, or the latest run of its chain if it continued as new, and waits shortly for its end. The server
 * keeps the request, so it holds even if no worker polls, and a repeat changes nothing. A run that has ended stays
 * as it is.
 * @returns the record of the run; one without `closedAt` if it has not ended yet
 * @throws HoldfastError `RUN_NOT_STOPPABLE` for an erasure; as `findRun` does
 */
export async function stopRun(
  engine: Engine,
  scope: RunLookup,
  reference: RunReference,
  request: StopRequest,
): Promise<RunRecord> {
  const record = await findYoungRun(engine, scope, reference);
  if (record.closedAt !== null) return record;
  if (record.type === ERASURE_RUN.workflowType) {
    const { workflowId, traceId } = record;
    const message = 'An erasure of memories cannot be stopped, because it would leave part of them';
    throw new HoldfastError('RUN_NOT_STOPPABLE', message, { details: { workflowId, traceId } });
  }
  const connection = engine.current();
  await requestStop(engine, connection, record, request);
  await waitForEnd(connection, record);
  // The request is accepted whether or not the server can be asked for the run's state now.
  return findRun(engine, scope, record).catch(() => record);
}

async function requestStop(
  engine: Engine,
  connection: EngineConnection,
  { workflowId, traceId }: RunRecord,
  { how, reason = NO_REASON }: StopRequest,
): Promise<void> {
  const { client, native, namespace } = connection;
  try {
    await beforeDeadline(native, Date.now() + REQUEST_LIMIT_MS, async () => {
      const run = await client.workflow.getHandle(workflowId, traceId).describe();
      const firstExecutionRunId = firstRunIdOf(run);
      const { identity } = client.options;
      // Without a run id, the server stops the latest run, provided that it belongs to the chain of the first.
      const common = { namespace, workflowExecution: { workflowId }, firstExecutionRunId, identity, reason };
      const service = client.workflowService;
      await (how === 'cancel'
        ? service.requestCancelWorkflowExecution({ ...common, requestId: `cancel-${firstExecutionRunId}` })
        : service.terminateWorkflowExecution(common));
    });
  } catch (error) {
    // The run has ended meanwhile, or an earlier request cancels it already.
    if (testGrpcStatus(error, (code) => code === NOT_FOUND || code === ALREADY_EXISTS)) return;
    if (!isTransient(error)) throw error;
    const { message, details } = unavailable(engine.address, describeError(error));
    const advice = 'The request may have been accepted; a repeat does no harm';
    throw new HoldfastError('ENGINE_UNAVAILABLE', `${message}. ${advice}`, {
      details: { ...details, workflowId, traceId },
      retryable: true,
      cause: error,
    });
  }
}

/** Waits until the chain of a run has ended, however it ended, or the time is over. */
async function waitForEnd(connection: EngineConnection, { workflowId, traceId }: RunRecord): Promise<void> {
  const reading = { mayStay: true, admit: () => Promise.resolve() };
  const result = (): Promise<unknown> => readResult(connection, { workflowId, runId: traceId }, reading);
  // An error says that the run ended without a result, that the time is over or that the server is away. The lookup
  // that follows shows which.
  await beforeDeadline(connection.native, Date.now() + ENDS_WITHIN_MS, result).catch(() => undefined);
}
