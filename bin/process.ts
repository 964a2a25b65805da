import type { Config } from '../src/config';
import { loadConfig } from '../src/config';
import { isHoldfastError, messageOf } from '../src/errors';
import type { Logger } from '../src/logger';
import { createLogger } from '../src/logger';

/** Lets a part of a process say how it is taken down; last in, first out. */
export type Release = (release: () => Promise<void> | void) => void;

export interface Part {
  readonly config: Config;
  readonly logger: Logger;
  readonly release: Release;
  /** Ends the process as a signal would, with exit code 1. */
  fail(reason: string): void;
}

/** A shutdown that hangs would leave a process nobody can end politely. */
const FORCED_EXIT_AFTER_MS = 20_000;

/**
 * Runs a process: reads the settings, starts what `start` starts, and on SIGTERM or SIGINT takes it down in
 * reverse order and exits 0. A failed start is one line and exit code 1; a second signal ends at once.
 */
export function runProcess(name: string, start: (part: Part) => Promise<void>): void {
  const releases: (() => Promise<void> | void)[] = [];
  let stopping = false;
  let logger: Logger | undefined;

  async function stop(code: number): Promise<void> {
    if (stopping) process.exit(code || 130);
    stopping = true;
    const grace = config?.SHUTDOWN_GRACE_MS ?? 0;
    setTimeout(() => process.exit(1), grace + FORCED_EXIT_AFTER_MS).unref();
    let exitCode = code;
    for (const release of releases.reverse()) {
      try {
        await release();
      } catch (error) {
        exitCode = 1;
        logger?.error({ err: error }, 'a part could not be stopped in order');
      }
    }
    process.exit(exitCode);
  }

  function abandon(error: unknown): void {
    if (isHoldfastError(error)) console.error(`${name}: ${error.message}${causeOf(error)}`);
    else console.error(`${name} could not start:`, error);
    void stop(1);
  }

  let config: Config | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!stopping) logger?.info({ signal }, 'stopping');
      void stop(0);
    });
  }
  // An npm that is killed takes its terminal with it; writing to a closed pipe must not end a worker half-way.
  process.stdout.on('error', () => undefined);

  try {
    config = loadConfig();
    logger = createLogger(config, name);
    const part: Part = {
      config,
      logger,
      release: (release) => void releases.push(release),
      fail(reason) {
        if (stopping) return;
        logger?.error(reason);
        void stop(1);
      },
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
