import { FairQueue } from './fair-queue';
import { SandboxThread } from './sandbox-thread';
import type { ThreadReply, ThreadRequest } from './protocol';
import type { SandboxCall, SandboxLimits } from './sandbox';

export type Outcome =
  | ThreadReply
  /** `hadThread` is false if the call waited for a thread all its time. */
  | { readonly kind: 'expired'; readonly hadThread: boolean }
  /** The calls of the caller that wait or run are as many as it may have, so this one may not even wait. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'aborted'; readonly reason: unknown }
  | { readonly kind: 'crashed'; readonly error: unknown }
  | { readonly kind: 'closed' };

export interface ThreadPoolOptions {
  /** The maximum number of threads. */
  readonly threads: number;
  /** The number of jobs that are expected to wait or run at once, of which a tenant may have half. */
  readonly maxJobs: number;
  /** The time after which a thread without work ends, milliseconds. */
  readonly idleMs: number;
  readonly limits: SandboxLimits;
  /** The compiled file that a thread runs. */
  readonly entry: string;
}

interface Job {
  readonly request: ThreadRequest;
  /** Called when a thread takes the job. */
  begin(): void;
  /** Completes the call. Only the first call of this method has an effect. */
  complete(outcome: Outcome): void;
}

/** The maximum delay of `setTimeout`, which fires at once for a longer one. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Threads that start on demand, run one job at a time, and are terminated when a job reaches its deadline or is aborted. Callers
 * share them as `FairQueue` says.
 */
export class ThreadPool {
  readonly #queue: FairQueue<Job>;
  readonly #running = new Map<SandboxThread, Job>();
  /** Threads without work. The most recently freed one is used first, so that the others can end. */
  readonly #idle: SandboxThread[] = [];
  readonly #ending = new Set<Promise<void>>();
  readonly #options: ThreadPoolOptions;
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#queue = new FairQueue(options.threads, options.maxJobs);
  }

  /**
   * Runs a request. It never rejects, and resolves after `timeoutMs` at the latest.
   * @param waits whether the time begins only when a thread takes the request
   */
  run(request: ThreadRequest, { owner, timeoutMs, signal }: SandboxCall, waits = false): Promise<Outcome> {
    if (this.#isClosed) return Promise.resolve({ kind: 'closed' });
    if (signal?.aborted) return Promise.resolve({ kind: 'aborted', reason: signal.reason as unknown });
    if (timeoutMs <= 0) return Promise.resolve({ kind: 'expired', hadThread: false });
    return new Promise((resolve) => {
      const onAbort = () => {
        this.#abandon(job, { kind: 'aborted', reason: signal?.reason });
      };
      const onDeadline = () => {
        this.#abandon(job, { kind: 'expired', hadThread: !this.#queue.isWaiting(job) });
      };
      let timer: NodeJS.Timeout | undefined;
      const startTimer = () => {
        timer = setTimeout(onDeadline, Math.min(timeoutMs, MAX_TIMER_MS));
      };
      const job: Job = {
        request,
        begin: () => {
          if (waits) startTimer();
        },
        complete: (outcome) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          resolve(outcome);
        },
      };
      if (!this.#queue.add(job, owner)) {
        resolve({ kind: 'refused' });
        return;
      }
      signal?.addEventListener('abort', onAbort, { once: true });
      if (!waits) startTimer();
      this.#dispatch();
    });
  }

  /** Completes all jobs as closed, and resolves when the last thread has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#queue.jobs()) {
      this.#queue.remove(job);
      job.complete({ kind: 'closed' });
    }
    for (const thread of [...this.#running.keys(), ...this.#idle]) this.#discard(thread);
    await Promise.all(this.#ending);
  }

  #dispatch(): void {
    // Threads that are ending are not counted, because waiting for them could take the whole time of a call.
    while (this.#running.size < this.#options.threads) {
      const job = this.#queue.take();
      if (job === undefined) return;
      const thread = this.#idle.pop() ?? this.#startThread();
      this.#running.set(thread, job);
      job.begin();
      thread.send(job.request);
    }
  }

  #startThread(): SandboxThread {
    const thread = new SandboxThread(this.#options, {
      onMessage: ({ reply, spent }) => {
        this.#finish(thread, reply, spent);
      },
      onEnd: (error) => {
        this.#finish(thread, { kind: 'crashed', error }, true);
      },
      onIdle: () => {
        this.#discard(thread);
      },
    });
    return thread;
  }

  #finish(thread: SandboxThread, outcome: Outcome, isSpent: boolean): void {
    const job = this.#running.get(thread);
    this.#running.delete(thread);
    if (isSpent || job === undefined) this.#discard(thread);
    else {
      this.#idle.push(thread);
      thread.becomeIdle();
    }
    if (job !== undefined) {
      this.#queue.remove(job);
      job.complete(outcome);
    }
    this.#dispatch();
  }

  #abandon(job: Job, outcome: Outcome): void {
    this.#queue.remove(job);
    for (const [thread, runningJob] of this.#running) if (runningJob === job) this.#discard(thread);
    job.complete(outcome);
    this.#dispatch();
  }

  #discard(thread: SandboxThread): void {
    this.#running.delete(thread);
    const position = this.#idle.indexOf(thread);
    if (position !== -1) this.#idle.splice(position, 1);
    const ended = thread.end().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }
}
