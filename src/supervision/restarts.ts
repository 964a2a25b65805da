const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** A process that was up for this long is well; ends before that count no more. */
const WELL_AFTER_MS = 60_000;
/** With this many starts in a row that did not come up, another would not either. */
const MAX_FAILED_STARTS = 5;

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** How long it was up, ms; undefined where it had not come up. */
  readonly upMs: number | undefined;
}

/** Decides whether a process that ended is started again. Keeps count of its ends. */
export interface Restarts {
  /** The pause before the next start, ms; undefined where the process stays ended. */
  next(ending: Ending): number | undefined;
}

/**
 * A process that ends in order (code 0), or whose very first start fails by an exit code, is not started again. After any
 * other end it is: by a signal, which no code can foresee, or by an exit code after it had come up once.
 */
export function createRestarts(): Restarts {
  let cameUp = false;
  let quickEnds = 0;
  let failedStarts = 0;
  return {
    next({ code, signal, upMs }) {
      cameUp ||= upMs !== undefined;
      if (signal === null && (code === 0 || !cameUp)) return undefined;
      failedStarts = upMs === undefined ? failedStarts + 1 : 0;
      if (failedStarts >= MAX_FAILED_STARTS) return undefined;
      quickEnds = upMs !== undefined && upMs >= WELL_AFTER_MS ? 1 : quickEnds + 1;
      return Math.min(FIRST_PAUSE_MS * 2 ** (quickEnds - 1), MAX_PAUSE_MS);
    },
  };
}
