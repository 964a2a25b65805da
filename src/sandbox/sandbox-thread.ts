import { Worker } from 'node:worker_threads';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SandboxLimits } from './sandbox';
import type { ThreadData, ThreadMessage, ThreadRequest } from './protocol';

/** The used part of a global that neither Node's types nor TypeScript declare. */
declare const WebAssembly: { readonly Module: new (code: Uint8Array) => object };
let compiled: object | undefined;

export interface SandboxThreadOptions {
  /** The compiled file that the thread runs. */
  readonly entry: string;
  readonly limits: SandboxLimits;
  /** The time without work after which `onIdle` is called, milliseconds. */
  readonly idleMs: number;
}

export interface ThreadEvents {
  onMessage(message: ThreadMessage): void;
  /** Called once when the thread ended without a call of `end`. */
  onEnd(error: unknown): void;
  /** Called when the thread had no work for the idle time. */
  onIdle(): void;
}

const BYTES_PER_MEBIBYTE = 1024 * 1024;
/** The limit of V8's heap in the thread, which has the documents of JSON queries. QuickJS's heap has a separate limit. */
const HEAP_MEBIBYTES = 256;
const YOUNG_HEAP_MEBIBYTES = 16;
/**
 * The bytes of V8's stack for each byte of QuickJS's stack. With less, parsing deeply nested code overflows V8's stack first,
 * which breaks the engine, while QuickJS would have reported an error (measured: 16 is too little at 256 KiB, 32 is enough from
 * there to 1 MiB).
 */
const STACK_RATIO = 32;
const MAX_STACK_MEBIBYTES = 64;

/** A worker thread that keeps the process alive only while it works. */
export class SandboxThread {
  readonly #worker: Worker;
  #idleTimer: NodeJS.Timeout | undefined;
  #isEnding = false;

  readonly #idleMs: number;
  readonly #events: ThreadEvents;

  constructor({ entry, limits, idleMs }: SandboxThreadOptions, events: ThreadEvents) {
    this.#idleMs = idleMs;
    this.#events = events;
    const stackMebibytes = Math.ceil((limits.stackBytes * STACK_RATIO) / BYTES_PER_MEBIBYTE);
    this.#worker = new Worker(entry, {
      workerData: { limits, engineCode: engineCode() } satisfies ThreadData,
      // A thread that runs untrusted code gets no arguments and no environment of the process.
      argv: [],
      execArgv: [],
      env: {},
      // The engine prints the reason of an abort. It is not shown, because the caller gets it as an error.
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: HEAP_MEBIBYTES,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MEBIBYTES,
        stackSizeMb: Math.min(Math.max(stackMebibytes, 4), MAX_STACK_MEBIBYTES),
      },
    });
    let failure: unknown;
    this.#worker.on('message', (message: ThreadMessage) => {
      if (!this.#isEnding) this.#events.onMessage(message);
    });
    this.#worker.on('error', (error) => {
      failure = error;
    });
    this.#worker.on('exit', () => {
      if (!this.#isEnding) this.#events.onEnd(failure);
    });
  }

  send(request: ThreadRequest): void {
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    this.#worker.postMessage(request);
  }

  /** Starts the idle time. The pool calls it when the thread has no work. */
  becomeIdle(): void {
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => this.#events.onIdle(), this.#idleMs).unref();
  }

  /** Terminates the thread, also while it works; no event follows. Resolves when it has ended. */
  async end(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#idleTimer);
    await this.#worker.terminate();
  }
}

/**
 * The compiled code of QuickJS, which all threads of this process share. V8 drops compiled code with its last user, so
 * without this one every thread that replaces another would compile it anew (a start took 209 ms of CPU, and takes 56).
 */
function engineCode(): object {
  compiled ??= new WebAssembly.Module(readFileSync(codeFile()));
  return compiled;
}

/** The package with the code is a dependency of quickjs-emscripten, so it is looked for from there. */
function codeFile(): string {
  return createRequire(require.resolve('quickjs-emscripten')).resolve(
    '@jitl/quickjs-wasmfile-release-sync/wasm',
  );
}
