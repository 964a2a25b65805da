import { isHoldfastError } from '../../../base/errors';
import type { InsertOptions } from '../../memory/memory-graph';
import type { InsertMemory, MemoryNode } from '../../memory/node';
import type { Statements } from '../connection';
import type { Neo4jDatabase } from '../database';
import { insertMemory } from './changes';

interface Pending {
  readonly memory: InsertMemory;
  readonly options: InsertOptions;
  readonly resolve: (node: MemoryNode) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch of this size takes a small part of the time limit of an operation. */
const MAX_PER_BATCH = 40;

/**
 * Group commit of inserts. Inserts of one user would wait for each other's lock anyway, so each user has at most one open
 * transaction, and the inserts that arrive meanwhile share the next one. If the store refuses one insert of a batch, the
 * whole batch is rolled back and each insert is repeated alone.
 */
export class InsertBatches {
  readonly #database: Neo4jDatabase;
  /** The waiting inserts by user. A user has an entry while one of their transactions is open. */
  readonly #waiting = new Map<string, Pending[]>();

  constructor(database: Neo4jDatabase) {
    this.#database = database;
  }

  /** Does what `MemoryGraph.insert` does. */
  insert(memory: InsertMemory, options: InsertOptions): Promise<MemoryNode> {
    return new Promise((resolve, reject) => {
      const pending = { memory, options, resolve, reject };
      const { userId } = memory.node;
      const waiting = this.#waiting.get(userId);
      if (waiting === undefined) void this.#run(userId, pending);
      else waiting.push(pending);
    });
  }

  async #run(userId: string, first: Pending): Promise<void> {
    const waiting: Pending[] = [first];
    this.#waiting.set(userId, waiting);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_PER_BATCH);
      const failure = await this.#insertAll(batch);
      // If the store is unavailable, the waiting inserts fail at once and do not wait for another time limit each.
      if (isUnavailable(failure)) for (const { reject } of waiting.splice(0)) reject(failure);
    }
    this.#waiting.delete(userId);
  }

  /** @returns the last failure; undefined if all inserts succeeded */
  async #insertAll(batch: readonly Pending[]): Promise<unknown> {
    try {
      const nodes = await this.#database.transact(async (statements) => insertInOrder(statements, batch));
      batch.forEach(({ resolve }, index) => resolve(nodes[index] as MemoryNode));
      return undefined;
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) {
        for (const { reject } of batch) reject(error);
        return error;
      }
    }
    let failure: unknown;
    for (const [index, one] of batch.entries()) {
      failure = await this.#insertAll([one]);
      if (!isUnavailable(failure)) continue;
      for (const { reject } of batch.slice(index + 1)) reject(failure);
      break;
    }
    return failure;
  }
}

async function insertInOrder(
  statements: Statements,
  batch: readonly Pending[],
): Promise<{ commit: boolean; value: MemoryNode[] }> {
  const value: MemoryNode[] = [];
  let commit = false;
  for (const { memory, options } of batch) {
    const inserted = await insertMemory(statements, memory, options);
    value.push(inserted.value);
    commit ||= inserted.commit;
  }
  return { commit, value };
}

function isUnavailable(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'STORE_UNAVAILABLE';
}
