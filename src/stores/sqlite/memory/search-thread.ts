import { Worker } from 'node:worker_threads';
import { HoldfastError } from '../../../base/errors';
import { compiledEntry } from '../../../base/compiled-entry';
import { storeClosed } from '../../unavailable';
import { fromFailure } from './thread-protocol';
import type { ThreadData, ThreadMethod, ThreadMethods, ThreadReply } from './thread-protocol';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread in which long reads or the upkeep run, so that none of them holds up the process. It starts with the first call, is
 * replaced by the next one after it died, and does not keep the process alive while nobody waits for it.
 */
export class SearchThread {
  readonly #data: ThreadData;
  readonly #entry = compiledEntry('src/stores/sqlite/memory/thread');
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #closed = false;
  #lastNumber = 0;

  /** Throws where the project has not been compiled. */
  constructor(data: ThreadData) {
    this.#data = data;
  }

  /** Throws what the method throws, and `STORE_UNAVAILABLE` (retryable) when the thread dies or was closed. */
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
    this.#lose(worker, storeClosed());
    await worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { workerData: this.#data, argv: [], execArgv: [] });
    let failure: unknown;
    worker.on('message', (reply: ThreadReply) => this.#settle(worker, reply));
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => this.#lose(worker, threadDied(failure)));
    return worker;
  }

  #settle(worker: Worker, reply: ThreadReply): void {
    // A late one of a thread that is being ended: nothing but that thread may keep the process alive until it has.
    if (this.#worker !== worker) return;
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if (this.#waiting.size === 0) worker.unref();
    if ('failure' in reply) waiting?.reject(fromFailure(reply.failure));
    else waiting?.resolve(reply.value);
  }

  #lose(worker: Worker, error: HoldfastError): void {
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
