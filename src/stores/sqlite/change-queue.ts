import { setImmediate as yieldToEventLoop, setTimeout as pause } from 'node:timers/promises';
import type { SqliteDatabase } from './database';
import { isStoreFailure } from './errors';
import type { SqliteFile, Synchronous } from './sqlite-file';

interface Waiting<C> {
  readonly change: (prepared: C) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** No further change begins in a transaction that has taken this long, because it blocks the event loop and other processes. */
const MAX_TRANSACTION_MS = 10;
/**
 * A queue that held the write lock for 10 ms in all leaves it free for a while. In that pause another process, which can only
 * poll for the lock, gets it. The pause is at least 1 to 3 ms, and a tenth of the time that the lock was held if that is more
 * (a slow disk), up to the time between two polls: a process that polls would miss nearly all shorter pauses.
 */
const HOLD_BEFORE_PAUSE_MS = 10;
const MIN_PAUSE_MS = 1;
const MAX_SHORT_PAUSE_MS = 3;
const PAUSE_SHARE = 0.1;
const MAX_PAUSE_MS = 25;

export interface ChangeQueueOptions {
  /** What a commit survives, as `OpenDatabaseOptions` has it. Default FULL. */
  readonly synchronous?: Synchronous;
  /** Reads a clock that never goes back, milliseconds. */
  readonly now?: () => number;
}

/**
 * Runs the changes of a process to one file, in the order of their arrival. Changes that wait together share a transaction, and
 * so one fsync and one wait for the lock. While no transaction succeeds, no change waits for longer than the file's timeout,
 * however many are before it.
 */
export class ChangeQueue<C> {
  readonly #file: SqliteFile<C>;
  readonly #synchronous: Synchronous;
  readonly #now: () => number;
  readonly #waiting: Waiting<C>[] = [];
  #working = false;
  /** How long transactions have held the write lock since the last pause, milliseconds. */
  #heldMs = 0;
  /** Until then no transaction begins. */
  #pausedUntil = -Infinity;

  constructor(file: SqliteFile<C>, options: ChangeQueueOptions = {}) {
    const { synchronous = 'FULL', now = () => performance.now() } = options;
    this.#file = file;
    this.#synchronous = synchronous;
    this.#now = now;
  }

  /**
   * Runs a change in a transaction that has the write lock from its start, and resolves when it is committed. A change that
   * throws is rolled back alone. Throws what the change throws, and what `SqliteFile.write` throws.
   */
  add<T>(change: (prepared: C) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve: resolve as Waiting<C>['resolve'], reject });
      if (!this.#working) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#working = true;
    while (this.#waiting.length > 0) {
      const leftMs = this.#pausedUntil - this.#now();
      if (leftMs > 0) await pause(leftMs);
      // Changes that arrive in the same iteration of the event loop share a transaction.
      else await yieldToEventLoop();
      await this.#commitSome();
    }
    this.#working = false;
  }

  async #commitSome(): Promise<void> {
    const count = this.#waiting.length;
    let started = this.#now();
    try {
      const outcomes = await this.#file.write((prepared, database) => {
        const transaction = database.transaction(() => {
          started = this.#now();
          return this.#runSome(prepared, database, started);
        });
        return transaction.immediate();
      }, this.#synchronous);
      this.#waiting.splice(0, outcomes.length);
      for (const notify of outcomes) notify();
    } catch (error) {
      // Nothing was stored, and the changes behind have waited for the same time, so all fail.
      for (const { reject } of this.#waiting.splice(0, count)) reject(error);
    }
    this.#noteHeld(started);
  }

  #noteHeld(started: number): void {
    const now = this.#now();
    this.#heldMs += now - started;
    if (this.#heldMs < HOLD_BEFORE_PAUSE_MS) return;
    const shortMs = MIN_PAUSE_MS + Math.random() * (MAX_SHORT_PAUSE_MS - MIN_PAUSE_MS);
    this.#pausedUntil = now + Math.max(shortMs, Math.min(this.#heldMs * PAUSE_SHARE, MAX_PAUSE_MS));
    this.#heldMs = 0;
  }

  /** @returns a function for each change that was run, which reports its result once the transaction is on the disk */
  #runSome(prepared: C, database: SqliteDatabase, started: number): (() => void)[] {
    const outcomes: (() => void)[] = [];
    // A single change is rolled back with its transaction. A savepoint is not free: it copies each page that the change modifies.
    const isAlone = this.#waiting.length === 1;
    for (const { change, resolve, reject } of this.#waiting) {
      if (outcomes.length > 0 && this.#now() - started > MAX_TRANSACTION_MS) break;
      try {
        const run = (): unknown => change(prepared);
        // Within a transaction, this is a savepoint.
        const value = isAlone ? run() : database.transaction(run)();
        outcomes.push(() => resolve(value));
      } catch (error) {
        // A failure of the file may have ended the whole transaction.
        if (isAlone || isStoreFailure(error)) throw error;
        outcomes.push(() => reject(error));
      }
    }
    return outcomes;
  }
}
