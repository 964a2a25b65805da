import { constants } from 'node:os';
import { type Config, loadConfig, type ProcessKind } from '../src/settings/config';
import { isHoldfastError, messageOf } from '../src/base/errors';
import { createRedactor } from '../src/secrets/redactor';
import { createLogger, type Logger } from '../src/base/logger';
import { STOP_SIGNALS } from '../src/supervision/stop-signals';
import { logUntakenRejections } from '../src/supervision/untaken-rejections';

type Action = () => Promise<void> | void;

/**
 * Registers how a part of the process is stopped. The parts are stopped in reverse order, the last one first.
 * `limitMs` is how long stopping may take at most; it is left out if stopping takes less than a second.
 */
export type Release = (action: Action, limitMs?: number) => void;

export interface Part {
  readonly name: string;
  readonly config: Config;
  readonly logger: Logger;
  readonly release: Release;
  /** How much of the grace time a stopping process has left, ms; all of it before the stop. */
  graceLeft(): number;
  /** Logs the reason and stops the process in order, as a signal does, with exit code 1. */
  fail(reason: string): void;
  /** Stops a process whose work is done in order, as a signal does; the exit code is 0 by default. */
  end(code?: number): void;
}

/** A shutdown that takes this much longer than the limits of all parts hangs, and the process exits by force. */
const FORCED_EXIT_SLACK_MS = 10_000;
/** Every part has at least this much of the grace time, also when the parts before it have used it up. */
const MIN_GRACE_MS = 1_000;
/** One Ctrl-C reaches a process twice: from the terminal, and from npm, which passes it on. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Runs a process: reads the settings and calls `start`, and on a signal of `STOP_SIGNALS` stops the started parts in
 * reverse order and exits with 0. A failed start prints one line and exits with 1. A second signal ends the process at once
 * if it comes a second or more after the first.
 */
export function runProcess(
  name: string,
  start: (part: Part) => Promise<void>,
  kind: ProcessKind = 'part',
): void {
  run(name, start, { kind, codeOf: () => 0, isService: true });
}

/**
 * Runs a command: a process that ends when its work is done, with 0. If a signal ends it earlier, the exit code is 128 and the
 * number of the signal, as in shells, so that a script does not continue as if the work were done.
 */
export function runCommand(name: string, work: (part: Part) => Promise<void>): void {
  const start = async (part: Part): Promise<void> => {
    await work(part);
    part.end();
  };
  run(name, start, { kind: 'part', codeOf: (signal) => 128 + constants.signals[signal], isService: false });
}

interface RunOptions {
  readonly kind: ProcessKind;
  /** The exit code of a process that a signal stops. */
  readonly codeOf: (signal: NodeJS.Signals) => number;
  /** Whether the process serves others until it is stopped. A command does not, and ends with an error that no code takes. */
  readonly isService: boolean;
}

function run(
  name: string,
  start: (part: Part) => Promise<void>,
  { kind, codeOf, isService }: RunOptions,
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
    // A start that is under way may still add parts to stop.
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
      // The start failed because the parts that it needs are being stopped.
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
      void stop(codeOf(signal));
    } else if (Date.now() - stoppingSince >= SAME_SIGNAL_MS) {
      process.exit(130);
    }
  }

  let config: Config | undefined;
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  // When npm is killed, the pipe to the terminal closes, and the terminal itself may close too. Writing to either must
  // not end the process before it has stopped its parts.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  try {
    config = loadConfig(undefined, kind);
    logger = createLogger(config, name, createRedactor(config.REDACT_FIELDS).text);
    if (isService) logUntakenRejections(logger);
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

/**
 * The cause of an error, such as a file or a system error. The operator's terminal may show it; an answer of the API
 * must not.
 */
function causeOf({ cause }: Error): string {
  return cause === undefined ? '' : ` (${messageOf(cause)})`;
}
