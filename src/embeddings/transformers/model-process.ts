import { fork, type ChildProcess } from 'node:child_process';
import { embedderUnavailable } from '../unavailable';
import type { ModelMessage, ModelRequest } from './protocol';

/**
 * Hands out one text at a time, round-robin when several requests wait, so that a search does not wait until a long list of texts
 * is done.
 */
class TextQueue {
  #jobs: Job[] = [];
  #current: Job | undefined;

  /** The number of texts that have no vector yet. */
  get waiting(): number {
    return this.#jobs.reduce((sum, { texts, vectors }) => sum + texts.length - vectors.length, 0);
  }

  add(job: Job): void {
    this.#jobs.push(job);
  }

  remove(job: Job): void {
    this.#jobs = this.#jobs.filter((other) => other !== job);
  }

  /** Hands out the next text; undefined if no text waits, or the last one has no answer yet. */
  next(): string | undefined {
    if (this.#current !== undefined) return undefined;
    this.#current = this.#jobs[0];
    return this.#current?.texts[this.#current.vectors.length];
  }

  /** Receives the answer to the text that was handed out last. It is ignored if the request was removed meanwhile. */
  answer(outcome: Float32Array | Error): void {
    const job = this.#current;
    this.#current = undefined;
    if (job === undefined || !this.#jobs.includes(job)) return;
    this.remove(job);
    if (outcome instanceof Error) return job.complete(outcome);
    job.vectors.push(outcome);
    if (job.vectors.length === job.texts.length) job.complete(job.vectors);
    else this.add(job);
  }

  /** Completes all requests with the error. */
  fail(error: Error): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    this.#current = undefined;
    for (const job of jobs) job.complete(error);
  }
}

export interface ModelProcessOptions {
  /** The compiled file that the process runs. */
  readonly entry: string;
  readonly folder: string;
  /** The path of the weights in the folder. */
  readonly weights: string;
  /** The maximum number of waiting texts. A request that arrives when as many are waiting is refused. */
  readonly maxWaiting: number;
  /** Aborts the start. */
  readonly signal: AbortSignal;
}

/** A model that is not loaded within this time counts as failed. */
const LOAD_TIMEOUT_MS = 120_000;
/** The end of the process's output is kept because it has the reason of a crash. Characters. */
const STDERR_TAIL_LENGTH = 500;

/**
 * A model in a separate process. A thread is not possible: version 1.14 of the runtime cannot be loaded again in a process in
 * which a thread with it has ended, and it ends the whole process when such a thread is terminated while it works. The child
 * keeps the parent alive only while it works, and ends with it.
 */
export class ModelProcess {
  readonly #queue = new TextQueue();
  readonly #exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #options: ModelProcessOptions;
  #stderrTail = '';
  #endError: Error | undefined;
  #onLoaded: (outcome: number | Error) => void = () => undefined;

  private constructor(options: ModelProcessOptions) {
    this.#options = options;
    this.#child = fork(options.entry, [options.folder, options.weights], {
      // Advanced serialization keeps typed arrays as they are.
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_LENGTH);
    });
    this.#child.on('message', (message) => this.#receive(message as ModelMessage));
    this.#exited = new Promise((resolve) => {
      const onEnd = (how: string, cause: Error): void => {
        this.#fail(embedderUnavailable(`The process of the embedding model ${how}`, { cause }));
        resolve();
      };
      this.#child.once('error', (error) => onEnd('failed', error));
      // The `close` event comes after all output of the process.
      this.#child.once('close', (code, signal) => {
        onEnd(`ended (${signal ?? `code ${code}`})`, new Error(this.#stderrTail.trim()));
      });
    });
  }

  /** Starts a process and resolves when the model is loaded. Throws an error with the reason if it cannot be loaded. */
  static async start(options: ModelProcessOptions): Promise<{ process: ModelProcess; dimensions: number }> {
    options.signal.throwIfAborted();
    const process = new ModelProcess(options);
    const timer = setTimeout(
      () => process.#onLoaded(new Error(`not loaded within ${LOAD_TIMEOUT_MS} ms`)),
      LOAD_TIMEOUT_MS,
    );
    const onAbort = (): void => process.#onLoaded(options.signal.reason as Error);
    options.signal.addEventListener('abort', onAbort, { once: true });
    const outcome = await new Promise<number | Error>((resolve) => (process.#onLoaded = resolve));
    clearTimeout(timer);
    options.signal.removeEventListener('abort', onAbort);
    process.#becomeIdle();
    if (typeof outcome === 'number') return { process, dimensions: outcome };
    await process.close();
    throw outcome;
  }

  /** The error with which the process ended; undefined while it runs. */
  get ended(): Error | undefined {
    return this.#endError;
  }

  /** Returns one vector for each text. An abort takes effect between two texts. */
  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (this.#endError !== undefined) throw this.#endError;
    if (texts.length === 0) return [];
    const { maxWaiting } = this.#options;
    if (this.#queue.waiting >= maxWaiting) {
      throw embedderUnavailable(`More than ${maxWaiting} texts are waiting to be embedded`);
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#queue.remove(job);
        job.complete(signal?.reason as Error);
      };
      const job: Job = {
        texts,
        vectors: [],
        complete: (outcome) => {
          signal?.removeEventListener('abort', onAbort);
          if (Array.isArray(outcome)) resolve(outcome);
          else reject(outcome);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.add(job);
      this.#sendNext();
    });
  }

  /** Kills the process, also while it works. Resolves when it has ended. */
  async close(): Promise<void> {
    this.#fail(embedderUnavailable('The embedding model is being closed'));
    this.#child.ref();
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  #receive(message: ModelMessage): void {
    switch (message.kind) {
      case 'loaded':
        return this.#onLoaded(message.dimensions);
      case 'unusable':
        return this.#onLoaded(new Error(`${this.#options.folder} cannot be loaded: ${message.reason}`));
      case 'vector':
        // The vector is copied, because the received one is a view of the whole message.
        this.#queue.answer(message.vector.slice());
        return this.#sendNext();
      case 'problem':
        this.#queue.answer(
          embedderUnavailable('The embedding model failed', { cause: new Error(message.reason) }),
        );
        return this.#sendNext();
    }
  }

  #sendNext(): void {
    const text = this.#queue.next();
    if (text !== undefined) {
      this.#child.ref();
      this.#child.channel?.ref();
      const request: ModelRequest = { text };
      // If this fails, the process has ended, which the `close` event reports.
      this.#child.send(request, () => undefined);
    } else if (this.#queue.waiting === 0) this.#becomeIdle();
  }

  /** Lets the parent end while the child has no work. */
  #becomeIdle(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    (this.#child.stderr as { unref?(): void } | null)?.unref?.();
  }

  #fail(error: Error): void {
    if (this.#endError !== undefined) return;
    this.#endError = error;
    this.#onLoaded(error);
    this.#queue.fail(error);
  }
}

/** The texts of a request, and their vectors so far. */
interface Job {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  /** Completes the request. Only the first call has an effect. */
  complete(outcome: Float32Array[] | Error): void;
}
