import { WorkflowFailedError } from '@temporalio/client';
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowNotFoundError,
} from '@temporalio/common';
import { HoldfastError, isHoldfastError, messageOf } from '../../src/base/errors';
import { EngineDeadlineError } from '../deadline';
import { findFailure, fromApplicationFailure } from '../failures';
import { INVALID_ARGUMENT, NOT_FOUND, RESOURCE_EXHAUSTED, testGrpcStatus } from '../grpc-status';
import { HARMFUL_RUN_REASON } from './harmful-run';
import type { StartedRun } from './started-run';

/** gRPC status codes of a server that is restarting or cannot be reached. */
const TRANSIENT = new Set([1, 2, 4, 8, 13, 14]);
/** The texts of client and server for a termination without a reason. */
const NO_REASON = new Set(['', 'Workflow execution terminated', 'terminated by user via frontend']);

/** True if the server did not answer, so that the same call may succeed later. */
export function isTransient(error: unknown): boolean {
  return error instanceof EngineDeadlineError || testGrpcStatus(error, (code) => TRANSIENT.has(code));
}

/** True if no run has the id of a call, or no run can have it. */
export function isMissingRun(error: unknown): boolean {
  if (isHoldfastError(error)) return false;
  return (
    error instanceof WorkflowNotFoundError ||
    testGrpcStatus(error, (code) => code === INVALID_ARGUMENT || code === NOT_FOUND)
  );
}

/** True if the server refuses a call for now because it has too many requests. */
export function isBusy(error: unknown): boolean {
  return testGrpcStatus(error, (code) => code === RESOURCE_EXHAUSTED);
}

/**
 * True for a start that the server refuses because it does not know the custom search attributes, or no longer does.
 */
export function refusesSearchAttributes(error: unknown): boolean {
  return (
    testGrpcStatus(error, (code) => code === INVALID_ARGUMENT) &&
    /search attribute/i.test(describeError(error))
  );
}

/** Joins the message of an error and that of its cause. */
export function describeError(error: unknown): string {
  return error instanceof Error && error.cause !== undefined
    ? `${error.message}: ${messageOf(error.cause)}`
    : messageOf(error);
}

/** Converts the failure of a run to an error with a stable code. Any other error is returned unchanged. */
export function toRunError(error: unknown, run: StartedRun): unknown {
  // A failure that is not the run's own means that the stored result could not be read.
  if (!(error instanceof WorkflowFailedError)) return findFailure(error) ?? error;
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

/**
 * Describes a termination. Operators terminate runs, and so does the server, for instance at the limit of a history.
 */
function howTerminated({ message: reason }: TerminatedFailure): string {
  return NO_REASON.has(reason) ? 'The run was terminated' : `The run was terminated: ${reason}`;
}
