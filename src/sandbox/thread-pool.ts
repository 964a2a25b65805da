import { SandboxThread } from './sandbox-thread';
import type { ThreadData, ThreadReply, ThreadRequest } from './protocol';
import type { SandboxCall } from './sandbox';

export type Outcome =
  | ThreadReply
  /** `hadThread` is false where the call spent all its time waiting for one. */
  | { readonly kind: 'expired'; readonly hadThread: boolean }
  | { readonly kind: 'aborted'; readonly reason: unknown }
  | { readonly kind: 'crashed'; readonly error: unknown }
  | { readonly kind: 'closed' };

export interface ThreadPoolOptions {
  /** Most threads alive at once. */
  readonly threads: number;
  /** Milliseconds after which a thread without work ends. */
  readonly idleMs: number;
  readonly data: ThreadData;
  /** Compiled file that a thread runs. */
  readonly entry: string;
}

interface Job {
  readonly request: ThreadRequest;
  /** The first call counts; later ones change nothing. */
  settle(outcome: Outcome): void;
}

/** setTimeout fires at once for anything longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Threads that start on demand, take one job each, and are terminated when a job passes its deadline or is
 * aborted. The queue has no bound of its own: every job in it has a deadline.
 */
export class ThreadPool {
  private readonly queue = new Set<Job>();
  private readonly running = new Map<SandboxThread, Job>();
  /** The last one freed is used first, so that the others can end. */
  private readonly idle: SandboxThread[] = [];
  private readonly ending = new Set<Promise<void>>();
  private isClosed = false;

  constructor(private readonly options: ThreadPoolOptions) {}

  /** Resolves in every case, at `timeoutMs` at the latest. */
  run(request: ThreadRequest, { timeoutMs, signal }: SandboxCall): Promise<Outcome> {
    if (this.isClosed) return Promise.resolve({ kind: 'closed' });
    if (signal?.aborted) return Promise.resolve({ kind: 'aborted', reason: signal.reason as unknown });
    if (timeoutMs <= 0) return Promise.resolve({ kind: 'expired', hadThread: false });
    return new Promise((resolve) => {
      const onAbort = () => {
        this.giveUp(job, { kind: 'aborted', reason: signal?.reason });
      };
      const onDeadline = () => {
        this.giveUp(job, { kind: 'expired', hadThread: !this.queue.has(job) });
      };
      const timer = setTimeout(onDeadline, Math.min(timeoutMs, MAX_TIMER_MS));
      signal?.addEventListener('abort', onAbort, { once: true });
      const job: Job = {
        request,
        settle: (outcome) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          resolve(outcome);
        },
      };
      this.queue.add(job);
      this.dispatch();
    });
  }

  /** Settles every job as closed, and resolves when the last thread has ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const job of [...this.queue, ...this.running.values()]) job.settle({ kind: 'closed' });
    this.queue.clear();
    for (const thread of [...this.running.keys(), ...this.idle]) this.discard(thread);
    await Promise.all(this.ending);
  }

  private dispatch(): void {
    for (const job of this.queue) {
      const thread = this.idle.pop() ?? this.startThread();
      if (thread === undefined) return;
      this.queue.delete(job);
      this.running.set(thread, job);
      thread.send(job.request);
    }
  }

  private startThread(): SandboxThread | undefined {
    // Threads on their way out are not counted: waiting for them could take a call's whole time.
    if (this.running.size + this.idle.length >= this.options.threads) return undefined;
    const thread = new SandboxThread(this.options, {
      onMessage: ({ reply, spent }) => {
        this.finish(thread, reply, spent);
      },
      onEnd: (error) => {
        this.finish(thread, { kind: 'crashed', error }, true);
      },
      onIdle: () => {
        this.discard(thread);
      },
    });
    return thread;
  }

  private finish(thread: SandboxThread, outcome: Outcome, isSpent: boolean): void {
    const job = this.running.get(thread);
    this.running.delete(thread);
    if (isSpent || job === undefined) this.discard(thread);
    else {
      this.idle.push(thread);
      thread.rest();
    }
    job?.settle(outcome);
    this.dispatch();
  }

  private giveUp(job: Job, outcome: Outcome): void {
    this.queue.delete(job);
    for (const [thread, runningJob] of this.running) if (runningJob === job) this.discard(thread);
    job.settle(outcome);
    this.dispatch();
  }

  private discard(thread: SandboxThread): void {
    this.running.delete(thread);
    const position = this.idle.indexOf(thread);
    if (position !== -1) this.idle.splice(position, 1);
    const ended = thread.end().finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }
}
