const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** A process that ran for this long counts as stable, so that its earlier ends do not lengthen the next pause. */
const STABLE_AFTER_MS = 60_000;
/** After this many failed starts in a row, the process is not started again. */
const MAX_FAILED_STARTS = 5;

/** The end of a process. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** How long the process ran after it reported its start, milliseconds; undefined if it did not report. */
  readonly upMs: number | undefined;
}

/** Decides whether a process that ended is started again. It counts the ends of the process. */
export interface Restarts {
  /** Returns the pause before the next start, milliseconds; undefined if the process is not started again. */
  next(ending: Ending): number | undefined;
}

/**
 * Creates the restart policy. A process that ends normally (code 0), or whose first start fails with an exit code, is not started
 * again. It is started again after a signal, and after an exit code if it had reported its start once.
 */
export function createRestarts(): Restarts {
  let hasStarted = false;
  let quickEnds = 0;
  let failedStarts = 0;
  return {
    next({ code, signal, upMs }) {
      hasStarted ||= upMs !== undefined;
      if (signal === null && (code === 0 || !hasStarted)) return undefined;
      failedStarts = upMs === undefined ? failedStarts + 1 : 0;
      if (failedStarts >= MAX_FAILED_STARTS) return undefined;
      quickEnds = upMs !== undefined && upMs >= STABLE_AFTER_MS ? 1 : quickEnds + 1;
      return Math.min(FIRST_PAUSE_MS * 2 ** (quickEnds - 1), MAX_PAUSE_MS);
    },
  };
}
