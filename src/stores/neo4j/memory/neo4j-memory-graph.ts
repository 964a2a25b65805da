import type {
  ChangeOptions,
  ErasedCounts,
  InsertOptions,
  MemoryGraph,
  NamePage,
  Neighbours,
  ReadNote,
  SessionSummary,
  UserMemoryStats,
} from '../../memory/memory-graph';
import type { InsertMemory, MemoryChange, MemoryKind, MemoryNode, RelatedMemory } from '../../memory/node';
import {
  boundedLimit,
  type ListQuery,
  type MemoryScope,
  type SearchHit,
  type TextQuery,
  type VectorQuery,
} from '../../memory/search';
import type { VectorTombstone, PendingVector, VisibleVector } from '../../memory/vector-outbox';
import type { VectorSpace, VectorSpaces, VectorUpdate } from '../../memory/vector-spaces';
import type { WordIndexPage } from '../../memory/word-index';
import type { Statements } from '../connection';
import type { Neo4jDatabase } from '../database';
import { deleteMemory, eraseSome, putUpdates, updateMemory } from './changes';
import { InsertBatches } from './insert-batches';
import { neighboursOf, relatedOfMany } from './relations';
import { findMemories, noteReads } from './rows';
import { countInScope, listMemories, searchText, searchVectors, readStats } from './searches';
import { listSessions } from './sessions';
import { SpaceChanges } from './space-changes';
import { readSpaces, requireSpace, spacesInUse } from './spaces';
import { listUsers, lockUsersOf, markErasing, unmarkErasing } from './users';
import {
  deleteTombstones,
  deleteTombstonesOf,
  listTombstones,
  listPending,
  listWithoutVector,
  releaseVectors,
} from './vectors';
import { WordIndex } from './word-index';

export interface Neo4jMemoryGraphOptions {
  /** Whether vectors of semantic memories are searched in an index outside of the database. */
  readonly vectorsElsewhere: boolean;
}

/** The maximum number of memories that one step of an erasure deletes. */
const MAX_ERASURE_STEP = 100;

/**
 * Memories as nodes of a Neo4j database that any number of processes and machines share.
 *
 * A change takes the lock of the user's node before it reads. A reader may see a commit of Neo4j while it is being applied, so
 * whatever must be read as a whole is in one property (`state`) or, like relations, is read under that lock.
 */
export class Neo4jMemoryGraph implements MemoryGraph {
  readonly #database: Neo4jDatabase;
  readonly #options: Neo4jMemoryGraphOptions;
  readonly #inserts: InsertBatches;
  readonly #spaces: SpaceChanges;
  readonly #words: WordIndex;

  constructor(database: Neo4jDatabase, options: Neo4jMemoryGraphOptions) {
    this.#database = database;
    this.#options = options;
    this.#inserts = new InsertBatches(database);
    this.#spaces = new SpaceChanges(database);
    this.#words = new WordIndex(database);
  }

  insert(memory: InsertMemory, options: InsertOptions = {}): Promise<MemoryNode> {
    return this.#inserts.insert(memory, options);
  }

  async get(id: string): Promise<MemoryNode | undefined> {
    return (await this.getMany([id])).get(id);
  }

  async getMany(ids: readonly string[]): Promise<Map<string, MemoryNode>> {
    const nodes = await this.#read((statements) => findMemories(statements, ids));
    return new Map(nodes.map((node) => [node.id, node]));
  }

  update(id: string, change: MemoryChange, options: ChangeOptions = {}): Promise<MemoryNode | undefined> {
    return this.#database.transact((statements) =>
      updateMemory(statements, id, change, { ...options, ...this.#options }),
    );
  }

  delete(id: string, options: ChangeOptions = {}): Promise<MemoryNode | undefined> {
    return this.#database.transact((statements) =>
      deleteMemory(statements, id, { ...options, ...this.#options }),
    );
  }

  async related(id: string): Promise<RelatedMemory[]> {
    return (await this.relatedOfMany([id])).get(id) ?? [];
  }

  relatedOfMany(ids: readonly string[]): Promise<Map<string, RelatedMemory[]>> {
    return this.#read(async (statements) => {
      const [, related] = await Promise.all([lockUsersOf(statements, ids), relatedOfMany(statements, ids)]);
      return related;
    });
  }

  neighbours(ids: readonly string[]): Promise<Map<string, Neighbours>> {
    return this.#read((statements) => neighboursOf(statements, ids));
  }

  list(query: ListQuery): Promise<MemoryNode[]> {
    return this.#read((statements) => listMemories(statements, query));
  }

  searchText(query: TextQuery): Promise<SearchHit[]> {
    return this.#read((statements) => searchText(statements, query));
  }

  searchVectors(query: VectorQuery): Promise<SearchHit[]> {
    return this.#read((statements) => searchVectors(statements, query));
  }

  count(scope: MemoryScope): Promise<number> {
    return this.#read((statements) => countInScope(statements, scope));
  }

  stats(userId: string): Promise<UserMemoryStats> {
    return this.#read((statements) => readStats(statements, userId));
  }

  listSessions(userId: string, page: NamePage): Promise<SessionSummary[]> {
    return this.#read((statements) => listSessions(statements, userId, page));
  }

  noteReads(notes: readonly ReadNote[]): Promise<void> {
    return this.#change((statements) => noteReads(statements, notes));
  }

  beginErasure(userId: string): Promise<void> {
    return this.#change((statements) => markErasing(statements, userId));
  }

  eraseSome(userId: string, limit: number): Promise<ErasedCounts> {
    const max = Math.min(boundedLimit(limit), MAX_ERASURE_STEP);
    return this.#database.transact((statements) => eraseSome(statements, userId, max));
  }

  endErasure(userId: string): Promise<void> {
    return this.#change(async (statements) => {
      await Promise.all([unmarkErasing(statements, userId), deleteTombstonesOf(statements, userId)]);
    });
  }

  listUsers(kind: MemoryKind, { after = '', limit }: NamePage): Promise<string[]> {
    return this.#read((statements) => listUsers(statements, kind, after, boundedLimit(limit)));
  }

  vectorSpaces(): Promise<VectorSpaces> {
    return this.#read(async (statements) => {
      const { current, next } = await readSpaces(statements);
      return { current, next };
    });
  }

  pinVectorSpace(model: string, dimensions: number): Promise<VectorSpace> {
    return this.#spaces.pin(model, dimensions);
  }

  openNextVectorSpace(model: string, dimensions: number): Promise<VectorSpace> {
    return this.#spaces.openNext(model, dimensions);
  }

  listWithoutVector(
    spaceId: number,
    { after = '', limit }: { after?: string; limit: number },
  ): Promise<MemoryNode[]> {
    return this.#read(async (statements) => {
      const [spaces, nodes] = await Promise.all([
        readSpaces(statements),
        listWithoutVector(statements, spaceId, after, boundedLimit(limit)),
      ]);
      requireSpace(spaces, spaceId, ['current', 'next']);
      return nodes;
    });
  }

  putVectors(updates: readonly VectorUpdate[]): Promise<number> {
    return this.#database.transact((statements) => putUpdates(statements, updates));
  }

  switchVectorSpace(spaceId: number): Promise<boolean> {
    return this.#spaces.switchTo(spaceId);
  }

  listPendingVectors(limit: number): Promise<PendingVector[]> {
    return this.#read(async (statements) =>
      listPending(statements, spacesInUse(await readSpaces(statements)), boundedLimit(limit)),
    );
  }

  releaseVectors(visible: readonly VisibleVector[]): Promise<number> {
    return this.#change((statements) => releaseVectors(statements, visible));
  }

  listTombstones(limit: number): Promise<VectorTombstone[]> {
    return this.#read((statements) => listTombstones(statements, boundedLimit(limit)));
  }

  deleteTombstones(tombstones: readonly VectorTombstone[]): Promise<void> {
    return this.#change((statements) => deleteTombstones(statements, tombstones));
  }

  isWordIndexCurrent(): Promise<boolean> {
    return this.#words.isCurrent();
  }

  renewWords({ after = '', limit }: { after?: string | undefined; limit: number }): Promise<WordIndexPage> {
    return this.#words.renew(after, boundedLimit(limit));
  }

  async ping(): Promise<void> {
    await this.#read((statements) => statements.run('RETURN 1'));
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Runs a read in a transaction that is rolled back, so that the locks it takes change nothing. */
  #read<T>(read: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#database.transact(async (statements) => ({ commit: false, value: await read(statements) }));
  }

  #change<T>(change: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#database.transact(async (statements) => ({
      commit: true,
      value: await change(statements),
    }));
  }
}
