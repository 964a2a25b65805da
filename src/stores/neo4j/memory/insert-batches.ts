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

/** What takes a small part of an operation's time limit. */
const MAX_PER_BATCH = 40;

/**
 * Group commit of inserts: those of one user would wait for each other's lock anyway, so one transaction is under way
 * for a user, and what arrives meanwhile shares the next. Where one of a batch is refused, nothing of the batch is
 * kept, and each is done again by itself.
 */
export class InsertBatches {
  readonly #database: Neo4jDatabase;
  /** By user; there while a transaction of the user is under way. */
  readonly #waiting = new Map<string, Pending[]>();

  constructor(database: Neo4jDatabase) {
    this.#database = database;
  }

  /** As `MemoryGraph.insert`. */
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
      // Whoever waits behind a store that is away is told at once, and does not find out after another time limit.
      if (isAway(failure)) for (const { reject } of waiting.splice(0)) reject(failure);
    }
    this.#waiting.delete(userId);
  }

  /** @returns the last failure */
  async #insertAll(batch: readonly Pending[]): Promise<unknown> {
    try {
      const nodes = await this.#database.transact(async (statements) => insertInOrder(statements, batch));
      batch.forEach(({ resolve }, index) => resolve(nodes[index] as MemoryNode));
      return undefined;
    } catch (error) {
      if (batch.length === 1 || isAway(error)) {
        for (const { reject } of batch) reject(error);
        return error;
      }
    }
    let failure: unknown;
    for (const [index, one] of batch.entries()) {
      failure = await this.#insertAll([one]);
      if (!isAway(failure)) continue;
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

function isAway(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'STORE_UNAVAILABLE';
}
