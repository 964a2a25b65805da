import { idTaken, memoryQuota } from '../../memory/errors';
import type { ChangeOptions, ErasedCounts, InsertOptions, ReadNote } from '../../memory/memory-graph';
import type { InsertMemory, MemoryChange, MemoryNode, SpaceVector } from '../../memory/node';
import type { PendingVector, VisibleVector } from '../../memory/vector-outbox';
import type { VectorUpdate } from '../../memory/vector-spaces';
import type { SqliteDatabase } from '../database';
import { DroppedSpaces } from './dropped-spaces';
import { Memories } from './memories';
import { ERASING, Owners } from './owners';
import { Relations } from './relations';
import { kindOf, type MemoryRow, RowReader, vectorFromBytes } from './rows';
import { Sessions } from './sessions';
import { Spaces } from './spaces';
import { Vectors } from './vectors';
import { WordIndex } from './word-index';

export interface MemoryStatementsOptions {
  readonly vectorsElsewhere: boolean;
}

/**
 * The operations on memories on one connection. All methods block, and throw SQLite's errors. The caller runs those that change
 * something in a transaction that has the write lock from its start.
 */
export class MemoryStatements {
  readonly owners: Owners;
  readonly relations: Relations;
  readonly spaces: Spaces;
  readonly dropped: DroppedSpaces;
  readonly vectors: Vectors;
  readonly words: WordIndex;
  readonly #memories: Memories;
  readonly #sessions: Sessions;
  readonly #rows: RowReader;
  readonly #database: SqliteDatabase;
  readonly #vectorsElsewhere: boolean;

  constructor(database: SqliteDatabase, { vectorsElsewhere }: MemoryStatementsOptions) {
    this.#database = database;
    this.#vectorsElsewhere = vectorsElsewhere;
    this.owners = new Owners(database);
    this.relations = new Relations(database);
    this.spaces = new Spaces(database);
    this.dropped = new DroppedSpaces(database);
    this.vectors = new Vectors(database, this.spaces);
    this.words = new WordIndex(database);
    this.#memories = new Memories(database, this.words);
    this.#sessions = new Sessions(database);
    this.#rows = new RowReader(database);
  }

  /** Runs reads in one transaction, so that they see the same state of the file. */
  inSnapshot<T>(read: () => T): T {
    return this.#database.transaction(read).deferred();
  }

  get(id: string): MemoryNode | undefined {
    const row = this.#memories.find(id);
    return row && this.#rows.toNode(row);
  }

  insert({ node, vector, placement, relations }: InsertMemory, { quota }: InsertOptions): MemoryNode {
    const { kind, userId, sessionId } = node;
    const owner = this.owners.findOrAdd(userId);
    const stored = this.get(node.id);
    if (stored !== undefined) {
      if (stored.userId !== userId || stored.kind !== kind) throw idTaken();
      return stored;
    }
    if (quota !== undefined && owner[kind] >= quota) throw memoryQuota(kind, quota);
    if (vector !== null) this.spaces.require(vector.spaceId, ['current'], vector.values.length);
    const session = sessionId === null ? null : this.#sessions.findOrAdd(owner.key, sessionId);
    const key = this.#memories.insert(node, owner.key, session);
    this.owners.count(owner.key, kind, 1);
    if (session !== null || placement !== undefined) this.#sessions.place(key, placement ?? {});
    const row = this.#memories.find(node.id) as MemoryRow;
    if (relations !== undefined) this.relations.replace(row, relations);
    if (vector !== null) this.vectors.put(row, vector);
    return this.#rows.toNode(row);
  }

  update(id: string, change: MemoryChange, { ifRevision }: ChangeOptions): MemoryNode | undefined {
    const row = this.#memories.find(id);
    if (row === undefined) return undefined;
    this.owners.requireNotErasing(row.owner);
    if (ifRevision !== undefined && ifRevision !== row.revision) return undefined;
    const { vector, placement, relations, replacedRelations } = change;
    if (vector) this.spaces.require(vector.spaceId, ['current'], vector.values.length);
    this.#memories.update(row, change);
    const changed = this.#memories.find(id) as MemoryRow;
    this.#updateVectors(row, changed, vector);
    if (placement !== undefined) {
      this.#sessions.remove(row.key);
      this.#sessions.place(row.key, placement);
    }
    if (relations !== undefined) this.relations.replace(row, relations, replacedRelations);
    return this.#rows.toNode(changed);
  }

  delete(id: string, { ifRevision }: ChangeOptions): MemoryNode | undefined {
    const row = this.#memories.find(id);
    if (row === undefined) return undefined;
    this.owners.requireNotErasing(row.owner);
    if (ifRevision !== undefined && ifRevision !== row.revision) return undefined;
    const node = this.#rows.toNode(row);
    if (this.#vectorsElsewhere) this.vectors.addTombstones(row);
    this.#remove(row);
    this.owners.removeUnused(row.owner);
    return node;
  }

  eraseSome(userId: string, limit: number): ErasedCounts {
    const erased = { episodic: 0, semantic: 0, relations: 0 };
    const owner = this.owners.find(userId);
    if (owner === undefined) return erased;
    for (const row of this.#memories.someOf(owner.key, limit)) {
      erased.relations += this.#remove(row);
      erased[kindOf(row)] += 1;
    }
    if (owner.erasing !== ERASING.no && erased.episodic + erased.semantic > 0)
      this.owners.markTaken(owner.key);
    return erased;
  }

  endErasure(userId: string): void {
    this.vectors.deleteTombstonesOf(userId);
    this.owners.unmark(userId);
  }

  noteRead(note: ReadNote): void {
    this.#memories.noteRead(note);
  }

  putVector({ id, revision, vector }: VectorUpdate): boolean {
    this.spaces.require(vector.spaceId, ['current', 'next'], vector.values.length);
    const row = this.#memories.find(id);
    if (row?.revision !== revision) return false;
    this.vectors.put(row, vector);
    return true;
  }

  releaseVector(visible: VisibleVector): boolean {
    const row = this.#memories.find(visible.id);
    return row?.revision === visible.revision && this.vectors.release(row, visible);
  }

  listPending(limit: number): PendingVector[] {
    return this.vectors.listPending(limit).map((row) => ({
      node: this.#rows.toNode(row),
      vector: { spaceId: row.space, values: vectorFromBytes(row.value) },
    }));
  }

  #updateVectors(before: MemoryRow, after: MemoryRow, vector: SpaceVector | null | undefined): void {
    if (after.text !== before.text) this.vectors.removeAll(after);
    else if (after.weight !== before.weight) this.vectors.setWeight(after, after.weight);
    const { current, next } = this.spaces.all();
    // The outside index has the memory's earlier fields with the vector, so the reindexing run has to embed the memory again.
    if (this.#vectorsElsewhere && kindOf(after) === 'semantic' && next !== null)
      this.vectors.removeFrom(after, next.id);
    if (vector === null && current !== null) this.vectors.removeFrom(after, current.id);
    if (vector) this.vectors.put(after, vector);
  }

  /** @returns the number of relations that the memory had */
  #remove(row: MemoryRow): number {
    const { key, owner, session } = row;
    this.#sessions.remove(key);
    const relations = this.relations.removeAll(key);
    this.vectors.removeAll(row);
    this.#memories.remove(key);
    this.owners.count(owner, kindOf(row), -1);
    if (session !== null) this.#sessions.removeEmpty(session);
    return relations;
  }
}
