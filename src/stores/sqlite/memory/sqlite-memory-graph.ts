import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
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
import { ChangeQueue } from '../change-queue';
import { SqliteFile } from '../sqlite-file';
import { MemoryStatements } from './memory-statements';
import { ERASING } from './owners';
import { MEMORY_MIGRATIONS, prepareConnection } from './schema';
import { SearchThread } from './search-thread';
import { SharedRuns } from './shared-runs';
import type { ThreadMethod, ThreadMethods } from './thread-protocol';

export interface SqliteMemoryGraphOptions {
  /** The database file. It is created with its folder if it does not exist. */
  readonly path: string;
  /** The maximum time that an operation waits for another connection's lock before it throws, milliseconds. */
  readonly busyTimeoutMs: number;
  /** Whether vectors of semantic memories are searched in an index outside of this file. */
  readonly vectorsElsewhere: boolean;
}

/** Only one transaction of a process waits for the lock, so it can try often. */
const MAX_PAUSE_MS = 4;
/** The maximum number of memories that one step of an erasure deletes, which takes about 20 ms. */
const MAX_ERASURE_STEP = 100;
/** The number of vectors of a dropped space that one transaction removes. No other process can write meanwhile. */
const CLEANUP_STEP = 200;

/**
 * Memories in one SQLite file that several processes share. Changes and reads by id run here and block the event
 * loop for a few milliseconds and an fsync at most; everything that may take longer runs in a thread.
 */
export class SqliteMemoryGraph implements MemoryGraph {
  readonly #file: SqliteFile<MemoryStatements>;
  readonly #changes: ChangeQueue<MemoryStatements>;
  readonly #searches: SearchThread;
  /** A separate thread, so that searches do not wait for maintenance. */
  readonly #maintenance: SearchThread;
  readonly #rewrites = new SharedRuns(() => this.#inThread(this.#maintenance, 'rewrite'));
  #isCleaning = false;
  #hasDropped = false;

  /** Does not open the file yet. Throws if the project has not been compiled. */
  constructor({ path, busyTimeoutMs, vectorsElsewhere }: SqliteMemoryGraphOptions) {
    this.#file = new SqliteFile({
      path,
      busyTimeoutMs,
      maxPauseMs: MAX_PAUSE_MS,
      migrations: MEMORY_MIGRATIONS,
      onOpen: prepareConnection,
      prepare: (database) => {
        const statements = new MemoryStatements(database, { vectorsElsewhere });
        if (statements.dropped.exist()) this.#startCleanup();
        return statements;
      },
    });
    this.#changes = new ChangeQueue(this.#file);
    this.#searches = new SearchThread({ path, busyTimeoutMs });
    this.#maintenance = new SearchThread({ path, busyTimeoutMs });
  }

  insert(memory: InsertMemory, options: InsertOptions = {}): Promise<MemoryNode> {
    return this.#change((statements) => statements.insert(memory, options));
  }

  get(id: string): Promise<MemoryNode | undefined> {
    return this.#file.read((statements) => statements.get(id));
  }

  getMany(ids: readonly string[]): Promise<Map<string, MemoryNode>> {
    return this.#readEach(ids, (statements, id) => statements.get(id));
  }

  update(id: string, change: MemoryChange, options: ChangeOptions = {}): Promise<MemoryNode | undefined> {
    return this.#change((statements) => statements.update(id, change, options));
  }

  delete(id: string, options: ChangeOptions = {}): Promise<MemoryNode | undefined> {
    return this.#change((statements) => statements.delete(id, options));
  }

  related(id: string): Promise<RelatedMemory[]> {
    return this.#file.read((statements) => statements.relations.related(id));
  }

  relatedOfMany(ids: readonly string[]): Promise<Map<string, RelatedMemory[]>> {
    return this.#readEach(ids, (statements, id) => {
      const related = statements.relations.related(id);
      return related.length === 0 ? undefined : related;
    });
  }

  neighbours(ids: readonly string[]): Promise<Map<string, Neighbours>> {
    return this.#readEach(ids, (statements, id) => statements.relations.neighbours(id));
  }

  list(query: ListQuery): Promise<MemoryNode[]> {
    return this.#search('list', query);
  }

  searchText(query: TextQuery): Promise<SearchHit[]> {
    return this.#search('searchText', query);
  }

  searchVectors(query: VectorQuery): Promise<SearchHit[]> {
    return this.#search('searchVectors', query);
  }

  count(scope: MemoryScope): Promise<number> {
    return this.#search('count', scope);
  }

  stats(userId: string): Promise<UserMemoryStats> {
    return this.#search('stats', userId);
  }

  listSessions(userId: string, page: NamePage): Promise<SessionSummary[]> {
    return this.#search('listSessions', userId, page);
  }

  noteReads(notes: readonly ReadNote[]): Promise<void> {
    return this.#change((statements) => {
      for (const note of notes) statements.noteRead(note);
    });
  }

  beginErasure(userId: string): Promise<void> {
    return this.#change((statements) => statements.owners.markErasing(userId));
  }

  eraseSome(userId: string, limit: number): Promise<ErasedCounts> {
    return this.#change((statements) =>
      statements.eraseSome(userId, Math.min(boundedLimit(limit), MAX_ERASURE_STEP)),
    );
  }

  async endErasure(userId: string): Promise<void> {
    const owner = await this.#file.read(({ owners }) => owners.find(userId));
    if (owner?.erasing === ERASING.taken) await this.#rewrites.request();
    await this.#change((statements) => statements.endErasure(userId));
    await this.#inThread(this.#maintenance, 'emptyLog');
  }

  listUsers(kind: MemoryKind, { after, limit }: NamePage): Promise<string[]> {
    return this.#file.read((statements) => statements.owners.list(kind, after, boundedLimit(limit)));
  }

  vectorSpaces(): Promise<VectorSpaces> {
    return this.#file.read((statements) => statements.spaces.all());
  }

  pinVectorSpace(model: string, dimensions: number): Promise<VectorSpace> {
    return this.#change((statements) => statements.spaces.pin(model, dimensions));
  }

  async openNextVectorSpace(model: string, dimensions: number): Promise<VectorSpace> {
    const space = await this.#change((statements) => statements.spaces.openNext(model, dimensions));
    this.#startCleanup();
    return space;
  }

  listWithoutVector(spaceId: number, options: { after?: string; limit: number }): Promise<MemoryNode[]> {
    return this.#search('listWithoutVector', spaceId, options);
  }

  putVectors(updates: readonly VectorUpdate[]): Promise<number> {
    return this.#change((statements) => updates.filter((update) => statements.putVector(update)).length);
  }

  async switchVectorSpace(spaceId: number): Promise<boolean> {
    const isCurrent = await this.#change(({ spaces, owners }) => spaces.switchTo(spaceId, owners.total()));
    this.#startCleanup();
    return isCurrent;
  }

  listPendingVectors(limit: number): Promise<PendingVector[]> {
    return this.#file.read((statements) => statements.listPending(limit));
  }

  releaseVectors(visible: readonly VisibleVector[]): Promise<number> {
    return this.#change((statements) => visible.filter((one) => statements.releaseVector(one)).length);
  }

  listTombstones(limit: number): Promise<VectorTombstone[]> {
    return this.#file.read((statements) => statements.vectors.listTombstones(limit));
  }

  deleteTombstones(tombstones: readonly VectorTombstone[]): Promise<void> {
    return this.#change((statements) => {
      for (const one of tombstones) statements.vectors.deleteTombstone(one);
    });
  }

  isWordIndexCurrent(): Promise<boolean> {
    return this.#file.read(({ words }) => words.isCurrent());
  }

  renewWords(options: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<WordIndexPage> {
    return this.#inThread(this.#maintenance, 'renewWords', {
      ...options,
      limit: boundedLimit(options.limit),
    });
  }

  async ping(): Promise<void> {
    await this.#file.write((statements) => statements.spaces.all());
  }

  async close(): Promise<void> {
    this.#file.close();
    await Promise.all([this.#searches.close(), this.#maintenance.close()]);
  }

  #change<T>(change: (statements: MemoryStatements) => T): Promise<T> {
    return this.#changes.add(change);
  }

  #readEach<T>(
    ids: readonly string[],
    read: (statements: MemoryStatements, id: string) => T | undefined,
  ): Promise<Map<string, T>> {
    return this.#file.read((statements) =>
      statements.inSnapshot(() => {
        const values = new Map<string, T>();
        for (const id of ids) {
          const value = read(statements, id);
          if (value !== undefined) values.set(id, value);
        }
        return values;
      }),
    );
  }

  #search<Method extends ThreadMethod>(
    method: Method,
    ...args: Parameters<ThreadMethods[Method]>
  ): Promise<ReturnType<ThreadMethods[Method]>> {
    return this.#inThread(this.#searches, method, ...args);
  }

  /** Calls a method in a thread. It first opens the file here, because the threads create neither the file nor the schema. */
  async #inThread<Method extends ThreadMethod>(
    thread: SearchThread,
    method: Method,
    ...args: Parameters<ThreadMethods[Method]>
  ): Promise<ReturnType<ThreadMethods[Method]>> {
    await this.#file.read(() => undefined);
    return thread.call(method, ...args);
  }

  /**
   * Starts to remove the vectors of dropped spaces in the background. If the process ends before that is done, the rest is
   * removed when the file is opened again.
   */
  #startCleanup(): void {
    this.#hasDropped = true;
    if (this.#isCleaning) return;
    this.#isCleaning = true;
    const cleanUp = async (): Promise<void> => {
      // The caller may be opening the file, which has to be open first.
      await yieldToEventLoop();
      while (this.#hasDropped) {
        // Reset before the call, because the reply may not know of a space that is dropped while the thread works.
        this.#hasDropped = false;
        if (await this.#inThread(this.#maintenance, 'removeSomeDropped', CLEANUP_STEP))
          this.#hasDropped = true;
      }
    };
    void cleanUp()
      .catch(() => undefined)
      .finally(() => {
        this.#isCleaning = false;
      });
  }
}
