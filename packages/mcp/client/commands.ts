import { Semaphore, takePlace } from '../../../src/base/async/semaphore';
import { toolError } from '../../../src/base/errors';
import type { Logger } from '../../../src/base/logger';
import type { Channel } from './channel';
import type { CommandTarget } from './check-target';
import { CommandProcess } from './command-process';

export interface CommandsOptions {
  /** Whether this process may run commands at all (`MCP_STDIO`). */
  readonly allowed: boolean;
  /** The maximum size of a message of a command, bytes. */
  readonly maxMessageBytes: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Runs the commands of servers, each for one listing or one call. */
export interface Commands {
  /**
   * Prepares a process, which starts when the client connects, and waits until there are few enough. The caller has to end the
   * channel. An abort of the signal ends the process too.
   * @throws HoldfastError `TOOL_EXECUTION_FAILED` if this process may run no commands; the reason of the signal
   */
  open(target: CommandTarget, signal: AbortSignal): Promise<Channel>;
  /** Ends all processes, and resolves when they have ended or were killed, and their channels were ended. */
  close(): Promise<void>;
}

/** The maximum number of commands that run at once. Each may be a runtime of its own, with its memory. */
const MAX_RUNNING = 8;

interface Running {
  readonly process: CommandProcess;
  /** Resolves when the channel was ended. */
  readonly ended: Promise<void>;
}

export function createCommands({ allowed, maxMessageBytes, logger }: CommandsOptions): Commands {
  const places = new Semaphore(MAX_RUNNING);
  const running = new Set<Running>();
  let isClosed = false;
  // A process that exits by force has no time to end its commands in order. The client starts one more process to ask for the
  // revision, which is not among these: a forced exit leaves it, unless it ends with its input.
  const killAll = (): void => running.forEach(({ process: command }) => command.kill());
  if (allowed) process.on('exit', killAll);

  return {
    async open(target, signal) {
      if (!allowed) {
        throw toolError('this process may run no commands; an operator has to set MCP_STDIO=yes for it');
      }
      const leave = await takePlace(places, signal);
      if (isClosed) {
        leave();
        throw toolError('the service is being stopped', { retryable: true });
      }
      const command = new CommandProcess(target, { maxMessageBytes, logger });
      let noteEnd: () => void = () => undefined;
      const entry = { process: command, ended: new Promise<void>((resolve) => (noteEnd = resolve)) };
      running.add(entry);
      const stop = (): void => void command.end();
      signal.addEventListener('abort', stop, { once: true });
      return {
        transport: command.transport,
        async end() {
          signal.removeEventListener('abort', stop);
          await command.end();
          if (running.delete(entry)) leave();
          noteEnd();
        },
      };
    },
    async close() {
      isClosed = true;
      await Promise.all([...running].map(({ process: command, ended }) => command.end().then(() => ended)));
      process.off('exit', killAll);
    },
  };
}
