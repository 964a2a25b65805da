import { Worker } from 'node:worker_threads';
import { HoldfastError } from '../../../base/errors';
import { compiledEntry } from '../../../base/compiled-entry';
import {
  fromFailure,
  type ThreadData,
  type ThreadMethod,
  type ThreadMethods,
  type ThreadReply,
} from './thread-protocol';
import { storeClosed } from '../../until-available';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread that runs long reads, or maintenance, so that they do not block the process. The first call starts it, the next call
 * after its death replaces it, and it keeps the process alive only while a caller waits for an answer.
 */
export class SearchThread {
  readonly #data: ThreadData;
  readonly #entry = compiledEntry('src/stores/sqlite/memory/thread');
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #closed = false;
  #lastNumber = 0;

  /** Throws if the project has not been compiled. */
  constructor(data: ThreadData) {
    this.#data = data;
  }

  /** Throws what the method throws, and `STORE_UNAVAILABLE` (retryable) if the thread dies or was closed. */
  call<Method extends ThreadMethod>(
    method: Method,
    ...args: Parameters<ThreadMethods[Method]>
  ): Promise<ReturnType<ThreadMethods[Method]>> {
    if (this.#closed) return Promise.reject(storeClosed());
    return new Promise((resolve, reject) => {
      const worker = (this.#worker ??= this.#start());
      const number = ++this.#lastNumber;
      this.#waiting.set(number, { resolve: resolve as Waiting['resolve'], reject });
      worker.ref();
      worker.postMessage({ number, method, args });
    });
  }

  /** Resolves when the thread has ended. May be called twice. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#abandon(worker, storeClosed());
    await worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { workerData: this.#data, argv: [], execArgv: [] });
    let failure: unknown;
    worker.on('message', (reply: ThreadReply) => this.#receive(worker, reply));
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => this.#abandon(worker, threadDied(failure)));
    return worker;
  }

  #receive(worker: Worker, reply: ThreadReply): void {
    // Ignores a late reply of a thread that is being ended: until it has ended, that thread keeps the process alive.
    if (this.#worker !== worker) return;
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if (this.#waiting.size === 0) worker.unref();
    if ('failure' in reply) waiting?.reject(fromFailure(reply.failure));
    else waiting?.resolve(reply.value);
  }

  #abandon(worker: Worker, error: HoldfastError): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

function threadDied(cause: unknown): HoldfastError {
  return new HoldfastError('STORE_UNAVAILABLE', 'The data store cannot be reached', {
    retryable: true,
    cause,
  });
}
