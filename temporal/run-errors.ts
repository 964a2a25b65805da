import { isGrpcServiceError, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure } from '@temporalio/common';
import { HoldfastError, messageOf } from '../src/base/errors';
import { EngineDeadlineError } from './deadline';
import { failureIn, fromApplicationFailure } from './failures';
import { HARMFUL_RUN_REASON } from './harmful-run';
import type { StartedRun } from './started-run';

/** gRPC status codes by which a server that is restarting, or not there, shows itself. */
const TRANSIENT = new Set([1, 2, 4, 8, 13, 14]);
const INVALID_ARGUMENT = 3;
const RESOURCE_EXHAUSTED = 8;
/** What client and server say of a termination without a reason. */
const NO_REASON = new Set(['', 'Workflow execution terminated', 'terminated by user via frontend']);

/** True where the server did not answer, so that the same call may succeed a moment later. */
export function isTransient(error: unknown): boolean {
  return error instanceof EngineDeadlineError || grpcCode(error, (code) => TRANSIENT.has(code));
}

/** True where the server refuses for now, because too much is asked of it. */
export function isBusy(error: unknown): boolean {
  return grpcCode(error, (code) => code === RESOURCE_EXHAUSTED);
}

/** True for a start refused because the server does not know the custom search attributes (any more). */
export function refusesSearchAttributes(error: unknown): boolean {
  return grpcCode(error, (code) => code === INVALID_ARGUMENT) && /search attribute/i.test(describe(error));
}

function grpcCode(error: unknown, test: (code: number) => boolean): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (isGrpcServiceError(at)) return test(at.code);
  }
  return false;
}

/** The message of an error and of what caused it. */
export function describe(error: unknown): string {
  return error instanceof Error && error.cause !== undefined
    ? `${error.message}: ${messageOf(error.cause)}`
    : messageOf(error);
}

/** How a run ended other than well, as an error with a stable code. Anything else is returned as it is. */
export function toRunError(error: unknown, run: StartedRun): unknown {
  // Where it is none of the run's own, the result could not be read where it is stored.
  if (!(error instanceof WorkflowFailedError)) return failureIn(error) ?? error;
  const { cause } = error;
  if (cause instanceof ApplicationFailure) return fromApplicationFailure(cause);
  const where = { workflowId: run.workflowId, traceId: run.runId };
  if (cause instanceof TimeoutFailure) {
    return new HoldfastError('RUN_TIMEOUT', 'The run reached its time limit (RUN_TIMEOUT_MS)', {
      details: where,
      cause,
    });
  }
  if (cause instanceof TerminatedFailure && cause.message === HARMFUL_RUN_REASON)
    return new HoldfastError('RUN_HARMFUL', cause.message, { details: where, cause });
  if (cause instanceof CancelledFailure || cause instanceof TerminatedFailure) {
    const message =
      cause instanceof CancelledFailure ? 'The run was cancelled by an operator' : howTerminated(cause);
    return new HoldfastError('RUN_CANCELLED', message, { details: where, cause });
  }
  return new HoldfastError('INTERNAL', 'The run failed', { details: where, cause });
}

/** Not only operators end runs: the server does too, as at a limit of their history, and gives its reason. */
function howTerminated({ message: reason }: TerminatedFailure): string {
  return NO_REASON.has(reason) ? 'The run was terminated' : `The run was terminated: ${reason}`;
}
