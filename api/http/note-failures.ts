import type { ErrorCode } from '../../src/base/error-codes';
import { HoldfastError, isHoldfastError } from '../../src/base/errors';
import type { Logger } from '../../src/base/logger';
import { SERVICE_FAULTS, type Metrics, type ServiceFault } from '../../src/base/metrics';
import type { StartedRun } from '../../temporal/runs/started-run';
import { ERROR_TABLE } from './error-table';

const FAULTS: ReadonlySet<ErrorCode> = new Set(SERVICE_FAULTS);
const isFault = (code: ErrorCode): code is ServiceFault => FAULTS.has(code);
/** During an outage every request fails, so a line is logged at most this often, milliseconds. */
const OUTAGE_LINE_EVERY_MS = 1_000;

export interface RequestFailure {
  /** The error with which the request is answered. */
  readonly error: HoldfastError;
  /** What was thrown, which may be another error. */
  readonly thrown: unknown;
  /** The logger of the request. */
  readonly logger: Logger;
  /** The run of the request, if it has one. */
  readonly run?: Pick<StartedRun, 'workflowId' | 'runId'> | undefined;
}

/** Counts and logs an error with which a request is answered, over HTTP or in a message of MCP. */
export type NoteFailure = (failure: RequestFailure) => void;

export function createFailureNotes(metrics: Pick<Metrics, 'requestFailed'>): NoteFailure {
  const lastLine = new Map<ErrorCode, number>();

  function isTimeToLog(code: ErrorCode): boolean {
    const now = performance.now();
    if (now - (lastLine.get(code) ?? -Infinity) < OUTAGE_LINE_EVERY_MS) return false;
    lastLine.set(code, now);
    return true;
  }

  return ({ error, thrown, logger, run }) => {
    if (isFault(error.code)) metrics.requestFailed(error.code);
    const about = { code: error.code, ...(run ? { workflowId: run.workflowId, runId: run.runId } : {}) };
    const { status } = ERROR_TABLE[error.code];
    if (error.code === 'INTERNAL' || error.code === 'CONFIGURATION') {
      logger.error({ ...about, err: thrown }, 'request failed unexpectedly');
    } else if (status === 503 && error.code !== 'REQUEST_ABANDONED' && isTimeToLog(error.code)) {
      logger.warn({ ...about, reason: error.message, err: error.cause }, 'request failed for now');
    } else {
      // The message repeats names and paths that the caller sent, and the caller has it.
      logger.debug(about, 'request failed');
    }
  };
}

/** The error with which a request is answered when anything was thrown: `INTERNAL` unless it is one of the service. Pure. */
export function toHoldfastError(thrown: unknown): HoldfastError {
  if (isHoldfastError(thrown)) return thrown;
  return new HoldfastError('INTERNAL', 'An unexpected error occurred', { cause: thrown });
}
