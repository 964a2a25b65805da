import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isStoreFailure } from './errors';
import type { SqliteFile } from './sqlite-file';

/** What changes run on. */
export interface Transactions {
  /** All of it or nothing, with the write lock from the start. */
  inTransaction<T>(change: () => T): T;
  /** Within a transaction: what throws takes itself back and leaves the rest. */
  inSavepoint<T>(change: () => T): T;
}

interface Waiting<C> {
  readonly change: (prepared: C) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** No further change begins in a transaction that took this long: it holds up the event loop and other processes. */
const MAX_TRANSACTION_MS = 10;
/** The lock is free for this long between two transactions, so that another process, which can only poll, gets it. */
const MIN_GAP_MS = 1;
const MAX_GAP_MS = 3;

/**
 * The changes of a process to one file, in the order they came: those that wait together share a transaction, and so
 * one fsync and one wait for the lock. None waits for longer than the file's timeout while nothing gets through, however
 * many are before it.
 */
export class ChangeQueue<C extends Transactions> {
  readonly #file: SqliteFile<C>;
  readonly #waiting: Waiting<C>[] = [];
  #working = false;

  constructor(file: SqliteFile<C>) {
    this.#file = file;
  }

  /** Resolves when the change is on the disk. Throws what the change throws, and what `SqliteFile.write` does. */
  add<T>(change: (prepared: C) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve: resolve as Waiting<C>['resolve'], reject });
      if (!this.#working) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#working = true;
    // What comes in within the same turn goes along.
    await nextTurn();
    for (;;) {
      await this.#commitSome();
      if (this.#waiting.length === 0) break;
      await pause(MIN_GAP_MS + Math.random() * (MAX_GAP_MS - MIN_GAP_MS));
    }
    this.#working = false;
  }

  async #commitSome(): Promise<void> {
    const count = this.#waiting.length;
    try {
      const outcomes = await this.#file.write((prepared) =>
        prepared.inTransaction(() => this.#runSome(prepared)),
      );
      this.#waiting.splice(0, outcomes.length);
      for (const tell of outcomes) tell();
    } catch (error) {
      // Nothing was kept, and those behind have waited for as long.
      for (const { reject } of this.#waiting.splice(0, count)) reject(error);
    }
  }

  /** @returns what to tell the first of those that wait, once the transaction is on the disk */
  #runSome(prepared: C): (() => void)[] {
    const outcomes: (() => void)[] = [];
    const started = performance.now();
    // One by itself is taken back with its transaction; a part costs a copy of each page that it changes.
    const isAlone = this.#waiting.length === 1;
    for (const { change, resolve, reject } of this.#waiting) {
      if (outcomes.length > 0 && performance.now() - started > MAX_TRANSACTION_MS) break;
      try {
        const value = isAlone ? change(prepared) : prepared.inSavepoint(() => change(prepared));
        outcomes.push(() => resolve(value));
      } catch (error) {
        // What befalls the file may have ended the whole transaction.
        if (isAlone || isStoreFailure(error)) throw error;
        outcomes.push(() => reject(error));
      }
    }
    return outcomes;
  }
}
