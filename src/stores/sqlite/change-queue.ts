import { setImmediate as yieldToEventLoop, setTimeout as pause } from 'node:timers/promises';
import { isStoreFailure } from './errors';
import type { SqliteFile } from './sqlite-file';

/** The transactions in which the queue runs changes. */
export interface Transactions {
  /** Runs a change in a transaction that has the write lock from its start; a change that throws is rolled back. */
  inTransaction<T>(change: () => T): T;
  /** Runs a change in a savepoint of the transaction: if it throws, only this change is rolled back. */
  inSavepoint<T>(change: () => T): T;
}

interface Waiting<C> {
  readonly change: (prepared: C) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** No further change begins in a transaction that has taken this long, because it blocks the event loop and other processes. */
const MAX_TRANSACTION_MS = 10;
/** The pause between two transactions. In it another process, which can only poll for the lock, gets the lock. */
const MIN_GAP_MS = 1;
const MAX_GAP_MS = 3;
/**
 * After a transaction that held the lock for long (a slow disk) the pause is a tenth of that time, up to the time between two
 * polls. With the short pause alone a process that is polling misses nearly every one, and waits until its timeout.
 */
const GAP_SHARE = 0.1;
const MAX_LONG_GAP_MS = 25;

/**
 * Runs the changes of a process to one file, in the order of their arrival. Changes that wait together share a transaction, and
 * so one fsync and one wait for the lock. While no transaction succeeds, no change waits for longer than the file's timeout,
 * however many are before it.
 */
export class ChangeQueue<C extends Transactions> {
  readonly #file: SqliteFile<C>;
  readonly #now: () => number;
  readonly #waiting: Waiting<C>[] = [];
  #working = false;

  /** @param now reads a clock that never goes back, milliseconds */
  constructor(file: SqliteFile<C>, now: () => number = () => performance.now()) {
    this.#file = file;
    this.#now = now;
  }

  /** Resolves when the change is on the disk. Throws what the change throws, and what `SqliteFile.write` throws. */
  add<T>(change: (prepared: C) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve: resolve as Waiting<C>['resolve'], reject });
      if (!this.#working) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#working = true;
    // Changes that arrive in the same iteration of the event loop share the first transaction.
    await yieldToEventLoop();
    for (;;) {
      const heldMs = await this.#commitSome();
      if (this.#waiting.length === 0) break;
      const shortMs = MIN_GAP_MS + Math.random() * (MAX_GAP_MS - MIN_GAP_MS);
      await pause(Math.max(shortMs, Math.min(heldMs * GAP_SHARE, MAX_LONG_GAP_MS)));
    }
    this.#working = false;
  }

  /** @returns how long the last transaction held the write lock, milliseconds */
  async #commitSome(): Promise<number> {
    const count = this.#waiting.length;
    let started = this.#now();
    try {
      const outcomes = await this.#file.write((prepared) =>
        prepared.inTransaction(() => {
          started = this.#now();
          return this.#runSome(prepared, started);
        }),
      );
      this.#waiting.splice(0, outcomes.length);
      for (const notify of outcomes) notify();
    } catch (error) {
      // Nothing was stored, and the changes behind have waited for the same time, so all fail.
      for (const { reject } of this.#waiting.splice(0, count)) reject(error);
    }
    return this.#now() - started;
  }

  /** @returns a function for each change that was run, which reports its result once the transaction is on the disk */
  #runSome(prepared: C, started: number): (() => void)[] {
    const outcomes: (() => void)[] = [];
    // A single change is rolled back with its transaction. A savepoint is not free: it copies each page that the change modifies.
    const isAlone = this.#waiting.length === 1;
    for (const { change, resolve, reject } of this.#waiting) {
      if (outcomes.length > 0 && this.#now() - started > MAX_TRANSACTION_MS) break;
      try {
        const value = isAlone ? change(prepared) : prepared.inSavepoint(() => change(prepared));
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
