import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { quoteInexactNumbers } from '../../../src/base/json/parse';
import type { Logger } from '../../../src/base/logger';
import type { CommandTarget } from './check-target';

export interface CommandProcessOptions {
  readonly maxMessageBytes: number;
  readonly logger: Pick<Logger, 'warn'>;
}

const NEWLINE = 0x0a;
/** What a command writes to its error output is kept up to this number of characters, for the log. */
const MAX_ERROR_OUTPUT = 2_000;

/** One process of a command, by the official transport. It starts when a client connects to the transport. */
export class CommandProcess {
  readonly transport: StdioClientTransport;
  readonly #command: string;
  readonly #logger: Pick<Logger, 'warn'>;
  #errorOutput = '';
  /** The process while it is being ended, when the transport does not name it any more. */
  #endingPid: number | null = null;
  #end: Promise<void> | undefined;

  constructor({ command, args, env }: CommandTarget, { maxMessageBytes, logger }: CommandProcessOptions) {
    this.#command = command;
    this.#logger = logger;
    // Of the environment of the service, the transport passes on PATH, HOME and the like, and nothing else.
    this.transport = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...env },
      stderr: 'pipe',
      maxBufferSize: maxMessageBytes,
    });
    keepNumbers(this.transport);
    this.transport.stderr?.on('data', (chunk: Buffer) => {
      this.#errorOutput = (this.#errorOutput + chunk.toString()).slice(-MAX_ERROR_OUTPUT);
    });
    // The client closes the transport too, and only the first close knows the process and waits for its end.
    const close = this.transport.close.bind(this.transport);
    this.transport.close = () => (this.#end ??= this.#finish(close));
  }

  /**
   * Closes the input of the process, and sends it SIGTERM 2 s and SIGKILL 4 s later. Resolves when it has ended and its output
   * was closed, or as soon as SIGKILL was sent.
   */
  end(): Promise<void> {
    return this.transport.close();
  }

  /** Kills the process at once, but not the one by which the client asks for the revision. */
  kill(): void {
    const pid = this.transport.pid ?? this.#endingPid;
    if (pid === null) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }

  async #finish(close: () => Promise<void>): Promise<void> {
    this.#endingPid = this.transport.pid;
    if (this.#endingPid === null && this.#errorOutput !== '') {
      const context = { command: this.#command, errorOutput: this.#errorOutput };
      this.#logger.warn(context, 'the command of an MCP server ended by itself');
    }
    await close().finally(() => (this.#endingPid = null));
  }
}

/** What the transport's private buffer has. It parses each line by itself. */
interface LineBuffer {
  append(chunk: Buffer): void;
  _buffer?: Buffer | undefined;
}

/**
 * Makes a transport parse lines in which the numbers are quoted that `JSON.parse` would change. The package has no place for
 * that, so this replaces a method of its buffer; a test fails when the package changes.
 */
function keepNumbers(transport: StdioClientTransport): void {
  const buffer = transport['_readBuffer'] as LineBuffer;
  const append = buffer.append.bind(buffer);
  buffer.append = (chunk) => {
    append(chunk);
    const { _buffer: held } = buffer;
    const end = held === undefined || !chunk.includes(NEWLINE) ? -1 : held.lastIndexOf(NEWLINE);
    // The transport reads all lines that are complete before the next chunk arrives, so each line comes by here once.
    if (held === undefined || end === -1) return;
    const lines = held.toString('utf8', 0, end).split('\n');
    const quotedLines = lines.map(quoteNumbers).join('\n');
    buffer._buffer = Buffer.concat([Buffer.from(quotedLines), held.subarray(end)]);
  };
}

/** A line that is nested too deeply stays as it is, for the checks of messages to refuse. */
function quoteNumbers(line: string): string {
  try {
    return quoteInexactNumbers(line);
  } catch {
    return line;
  }
}
