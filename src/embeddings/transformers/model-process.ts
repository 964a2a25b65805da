import { fork, type ChildProcess } from 'node:child_process';
import { unavailable } from '../unavailable';
import type { ModelMessage, ModelRequest } from './protocol';
import { TextQueue, type Job } from './text-queue';

export interface ModelProcessOptions {
  /** Compiled file that the process runs. */
  readonly entry: string;
  readonly folder: string;
  /** Path of the weights in the folder. */
  readonly weights: string;
  /** Most texts that may wait; a request that comes when there are more is refused. */
  readonly maxWaiting: number;
  /** Gives the start up. */
  readonly signal: AbortSignal;
}

/** A model that has not come up by then never will. */
const LOAD_TIMEOUT_MS = 120_000;
/** The end of what the process writes, which tells the reason of a crash. Characters. */
const LAST_WORDS = 500;

/**
 * A model in a process of its own. A thread would not do: version 1.14 of the runtime cannot be loaded again in a process
 * whose thread has ended, and ends the whole process where a thread is stopped at work. Keeps the parent alive only while
 * it works, and ends with it.
 */
export class ModelProcess {
  private readonly queue = new TextQueue();
  private readonly exited: Promise<void>;
  private readonly child: ChildProcess;
  private lastWords = '';
  private end: Error | undefined;
  private onLoaded: (outcome: number | Error) => void = () => undefined;

  private constructor(private readonly options: ModelProcessOptions) {
    this.child = fork(options.entry, [options.folder, options.weights], {
      // Keeps typed arrays what they are.
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-LAST_WORDS);
    });
    this.child.on('message', (message) => this.receive(message as ModelMessage));
    this.exited = new Promise((resolve) => {
      const onEnd = (how: string, cause: Error): void => {
        this.stop(unavailable(`The process of the embedding model ${how}`, { cause }));
        resolve();
      };
      this.child.once('error', (error) => onEnd('failed', error));
      // Comes after the last of what the process wrote.
      this.child.once('close', (code, signal) => {
        onEnd(`ended (${signal ?? `code ${code}`})`, new Error(this.lastWords.trim()));
      });
    });
  }

  /** Resolves when the model is loaded. Throws with the reason where it cannot be. */
  static async start(options: ModelProcessOptions): Promise<{ process: ModelProcess; dimensions: number }> {
    options.signal.throwIfAborted();
    const process = new ModelProcess(options);
    const timer = setTimeout(
      () => process.onLoaded(new Error(`not loaded within ${LOAD_TIMEOUT_MS} ms`)),
      LOAD_TIMEOUT_MS,
    );
    const onAbort = (): void => process.onLoaded(options.signal.reason as Error);
    options.signal.addEventListener('abort', onAbort, { once: true });
    const outcome = await new Promise<number | Error>((resolve) => (process.onLoaded = resolve));
    clearTimeout(timer);
    options.signal.removeEventListener('abort', onAbort);
    process.rest();
    if (typeof outcome === 'number') return { process, dimensions: outcome };
    await process.close();
    throw outcome;
  }

  /** Why the process has ended; undefined while it has not. */
  get ended(): Error | undefined {
    return this.end;
  }

  /** One vector a text. Aborting takes effect between two texts. */
  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (this.end !== undefined) throw this.end;
    if (texts.length === 0) return [];
    const { maxWaiting } = this.options;
    if (this.queue.waiting >= maxWaiting) {
      throw unavailable(`More than ${maxWaiting} texts are waiting to be embedded`);
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.queue.remove(job);
        job.settle(signal?.reason as Error);
      };
      const job: Job = {
        texts,
        vectors: [],
        settle: (outcome) => {
          signal?.removeEventListener('abort', onAbort);
          if (Array.isArray(outcome)) resolve(outcome);
          else reject(outcome);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.queue.add(job);
      this.advance();
    });
  }

  /** Ends the process, whatever it is doing. Resolves when it is gone. */
  async close(): Promise<void> {
    this.stop(unavailable('The embedding model is being closed'));
    this.child.ref();
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private receive(message: ModelMessage): void {
    switch (message.kind) {
      case 'loaded':
        return this.onLoaded(message.dimensions);
      case 'unusable':
        return this.onLoaded(new Error(`${this.options.folder} cannot be loaded: ${message.reason}`));
      case 'vector':
        // A copy: the vector that arrives is a view of the whole message.
        this.queue.answer(message.vector.slice());
        return this.advance();
      case 'problem':
        this.queue.answer(unavailable('The embedding model failed', { cause: new Error(message.reason) }));
        return this.advance();
    }
  }

  private advance(): void {
    const text = this.queue.next();
    if (text !== undefined) {
      this.child.ref();
      this.child.channel?.ref();
      const request: ModelRequest = { text };
      // Where this fails the process is gone, and its end is told by `close`.
      this.child.send(request, () => undefined);
    } else if (this.queue.waiting === 0) this.rest();
  }

  private rest(): void {
    this.child.unref();
    this.child.channel?.unref();
    (this.child.stderr as { unref?(): void } | null)?.unref?.();
  }

  private stop(end: Error): void {
    if (this.end !== undefined) return;
    this.end = end;
    this.onLoaded(end);
    this.queue.fail(end);
  }
}
