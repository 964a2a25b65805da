import type { Config, ProcessKind } from '../src/settings/config';
import { loadConfig } from '../src/settings/config';
import { isHoldfastError, messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import { createLogger } from '../src/base/logger';

type Action = () => Promise<void> | void;

/**
 * Lets a part of a process say how it is taken down; last in, first out. `limitMs` is the longest that may take
 * where it is more than a moment.
 */
export type Release = (action: Action, limitMs?: number) => void;

export interface Part {
  readonly name: string;
  readonly config: Config;
  readonly logger: Logger;
  readonly release: Release;
  /** Milliseconds of the grace time that a stopping process has left; all of it before. */
  graceLeft(): number;
  /** Ends the process as a signal would, with exit code 1. */
  fail(reason: string): void;
  /** Ends a process whose work is done as a signal would; without a code with 0. */
  end(code?: number): void;
}

/** Beyond what the parts may take, a shutdown hangs and would leave a process nobody can end politely. */
const FORCED_EXIT_SLACK_MS = 10_000;
/** Whoever comes after one that used up the grace time is not cut off at once. */
const MIN_GRACE_MS = 1_000;
/** One Ctrl-C reaches a process twice where npm passes on what the terminal sent already. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Runs a process: reads the settings, starts what `start` starts, and on SIGTERM or SIGINT takes it down in
 * reverse order and exits 0. A failed start is one line and exit code 1; a second signal, a second or more after the
 * first, ends at once.
 */
export function runProcess(
  name: string,
  start: (part: Part) => Promise<void>,
  kind: ProcessKind = 'part',
): void {
  const releases: { readonly action: Action; readonly limitMs: number }[] = [];
  let stoppingSince: number | undefined;
  let logger: Logger | undefined;

  async function stop(code: number): Promise<void> {
    if (stoppingSince !== undefined) return;
    stoppingSince = Date.now();
    const budget = releases.reduce((sum, { limitMs }) => sum + limitMs, FORCED_EXIT_SLACK_MS);
    setTimeout(() => process.exit(1), budget).unref();
    let exitCode = code;
    // A start that is under way may add to them still.
    for (let release = releases.pop(); release !== undefined; release = releases.pop()) {
      try {
        await release.action();
      } catch (error) {
        exitCode = 1;
        logger?.error({ err: error }, 'a part could not be stopped in order');
      }
    }
    process.exit(exitCode);
  }

  function graceLeft(): number {
    const grace = config?.SHUTDOWN_GRACE_MS ?? 0;
    if (stoppingSince === undefined) return grace;
    return Math.max(grace - (Date.now() - stoppingSince), Math.min(grace, MIN_GRACE_MS));
  }

  function abandon(error: unknown): void {
    if (stoppingSince !== undefined) {
      // It stands on what is being taken down.
      logger?.info({ reason: messageOf(error) }, 'the start was given up');
      return;
    }
    if (isHoldfastError(error)) console.error(`${name}: ${error.message}${causeOf(error)}`);
    else console.error(`${name} could not start:`, error);
    void stop(1);
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (stoppingSince === undefined) {
      logger?.info({ signal }, 'stopping');
      void stop(0);
    } else if (Date.now() - stoppingSince >= SAME_SIGNAL_MS) {
      process.exit(130);
    }
  }

  let config: Config | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, onSignal);
  }
  // An npm that is killed takes its terminal with it; writing to a closed pipe must not end a worker half-way.
  process.stdout.on('error', () => undefined);

  try {
    config = loadConfig(undefined, kind);
    logger = createLogger(config, name);
    const part: Part = {
      name,
      config,
      logger,
      release: (action, limitMs = 0) => void releases.push({ action, limitMs }),
      graceLeft,
      fail(reason) {
        if (stoppingSince !== undefined) return;
        logger?.error(reason);
        void stop(1);
      },
      end: (code = 0) => void stop(code),
    };
    start(part).catch(abandon);
  } catch (error) {
    abandon(error);
  }
}

/** The operator's terminal may show what an answer must not: which file, which system error. */
function causeOf({ cause }: Error): string {
  return cause === undefined ? '' : ` (${messageOf(cause)})`;
}
