import type { ErasedMemories, ErasureStep } from '../contracts/memory-runs';
import type { SecretBox } from '../secrets/secret-box';
import type { DocumentStore } from '../stores/documents';
import type { MemoryGraph } from '../stores/memory/memory-graph';
import type { VectorIndex } from '../stores/memory/vector-index';

export interface ErasuresPorts {
  readonly documents: DocumentStore;
  readonly graph: MemoryGraph;
  readonly index: VectorIndex | undefined;
  /** Keeps the user's name unreadable: deleting it leaves its bytes in a file for a while. */
  readonly secrets: SecretBox;
  readonly newId: () => string;
}

/**
 * Taking away all that is kept of a user, in steps that may each be repeated. All methods throw `STORE_UNAVAILABLE`
 * (retryable).
 */
export interface Erasures {
  /**
   * Notes whose memories go, and refuses changes of them from now on.
   * @param erasureId where a repeat must not begin a second one
   * @returns the id of the erasure
   */
  begin(userId: string, erasureId?: string): Promise<string>;
  /** Takes away a bounded number of memories. */
  step(erasureId: string, signal: AbortSignal): Promise<ErasureStep>;
  /** Takes away what an index of vectors has, and lets the user write again. Nothing names the user afterwards. */
  finish(erasureId: string, signal: AbortSignal): Promise<void>;
}

interface StoredErasure {
  readonly sealedUserId: string;
}

const COLLECTION = 'erasures';
/** Memories taken away in one transaction, and transactions in one step. */
const BATCH = 500;
const MOST_BATCHES = 10;
const NOTHING: ErasedMemories = { episodic: 0, semantic: 0, relations: 0 };

export function createErasures({ documents, graph, index, secrets, newId }: ErasuresPorts): Erasures {
  async function userOf(erasureId: string): Promise<string | undefined> {
    const stored = await documents.get<StoredErasure>(COLLECTION, erasureId);
    return stored === undefined ? undefined : secrets.open(stored.value.sealedUserId, COLLECTION);
  }

  return {
    async begin(userId, erasureId = newId()) {
      const value: StoredErasure = { sealedUserId: secrets.seal(userId, COLLECTION) };
      await documents.write([{ type: 'put', collection: COLLECTION, key: erasureId, value }]);
      await graph.beginErasure(userId);
      return erasureId;
    },
    async step(erasureId, signal) {
      const userId = await userOf(erasureId);
      // A repeat of the last step, whose answer was lost.
      if (userId === undefined) return { ...NOTHING, done: true };
      // Another erasure of the user may have ended meanwhile.
      await graph.beginErasure(userId);
      let erased = NOTHING;
      for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
        signal.throwIfAborted();
        const some = await graph.eraseSome(userId, BATCH);
        erased = add(erased, some);
        if (some.episodic + some.semantic === 0) return { ...erased, done: true };
      }
      return { ...erased, done: false };
    },
    async finish(erasureId, signal) {
      const userId = await userOf(erasureId);
      if (userId === undefined) return;
      if (index !== undefined) {
        const { current, next } = await graph.vectorSpaces();
        const latest = next?.id ?? current?.id ?? 0;
        for (let spaceId = 1; spaceId <= latest; spaceId += 1) {
          await index.removeUser(spaceId, userId, signal);
        }
      }
      await graph.endErasure(userId);
      await documents.write([{ type: 'delete', collection: COLLECTION, key: erasureId }]);
    },
  };
}

function add(one: ErasedMemories, other: ErasedMemories): ErasedMemories {
  return {
    episodic: one.episodic + other.episodic,
    semantic: one.semantic + other.semantic,
    relations: one.relations + other.relations,
  };
}
