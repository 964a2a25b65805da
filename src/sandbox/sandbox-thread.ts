import { Worker } from 'node:worker_threads';
import type { ThreadData, ThreadMessage, ThreadRequest } from './protocol';

export interface SandboxThreadOptions {
  /** Compiled file that the thread runs. */
  readonly entry: string;
  readonly data: ThreadData;
  /** Milliseconds without work until `onIdle`. */
  readonly idleMs: number;
}

export interface ThreadEvents {
  onMessage(message: ThreadMessage): void;
  /** The thread ended though nobody asked it to; called once. */
  onEnd(error: unknown): void;
  /** Nothing was sent for the idle time. */
  onIdle(): void;
}

const BYTES_PER_MEBIBYTE = 1024 * 1024;
/** V8's heap in the thread, which holds the documents of JSON queries; QuickJS's heap has its own limit. */
const HEAP_MEBIBYTES = 256;
const YOUNG_HEAP_MEBIBYTES = 16;
/**
 * How much of V8's stack a byte of QuickJS's stack can take. With less, parsing deeply nested code overflows
 * V8's stack first, which breaks the engine where QuickJS would have reported an error (measured: 16 is too
 * little at 256 KiB, 32 is enough from there to 1 MiB).
 */
const STACK_RATIO = 32;
const MAX_STACK_MEBIBYTES = 64;

/** A worker thread that keeps the process alive only while it works. */
export class SandboxThread {
  private readonly worker: Worker;
  private idleTimer: NodeJS.Timeout | undefined;
  private isEnding = false;

  private readonly idleMs: number;

  constructor(
    { entry, data, idleMs }: SandboxThreadOptions,
    private readonly events: ThreadEvents,
  ) {
    this.idleMs = idleMs;
    const stackMebibytes = Math.ceil((data.limits.stackBytes * STACK_RATIO) / BYTES_PER_MEBIBYTE);
    this.worker = new Worker(entry, {
      workerData: data,
      // Nothing of the process's own start reaches a thread that runs foreign code.
      argv: [],
      execArgv: [],
      env: {},
      // The engine prints the reason of an abort, which its caller gets as an error already.
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: HEAP_MEBIBYTES,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MEBIBYTES,
        stackSizeMb: Math.min(Math.max(stackMebibytes, 4), MAX_STACK_MEBIBYTES),
      },
    });
    let failure: unknown;
    this.worker.on('message', (message: ThreadMessage) => {
      if (!this.isEnding) this.events.onMessage(message);
    });
    this.worker.on('error', (error) => {
      failure = error;
    });
    this.worker.on('exit', () => {
      if (!this.isEnding) this.events.onEnd(failure);
    });
  }

  send(request: ThreadRequest): void {
    clearTimeout(this.idleTimer);
    this.worker.ref();
    this.worker.postMessage(request);
  }

  /** To be called when there is no work. */
  rest(): void {
    this.worker.unref();
    this.idleTimer = setTimeout(() => this.events.onIdle(), this.idleMs).unref();
  }

  /** Terminates the thread, whatever it is doing; no event follows. Resolves when it is gone. */
  async end(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.idleTimer);
    await this.worker.terminate();
  }
}
