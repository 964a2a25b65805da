import type { ErasedMemories, ErasureEnd, ErasureStep } from '../contracts/memory-runs';
import { messageOf } from '../errors';
import type { Logger } from '../logger';
import type { Pseudonyms } from '../secrets/pseudonyms';
import type { SecretBox } from '../secrets/secret-box';
import type { DocumentStore } from '../stores/documents';
import type { AllMemoryStores } from './configuration/memory-stores';
import type { StoreSettings } from './configuration/settings';
import type { Memory } from './create-memory';

export interface ErasuresPorts {
  readonly documents: DocumentStore;
  readonly stores: Pick<AllMemoryStores, 'useThose' | 'everyStore'>;
  /** Keeps the user's name unreadable: deleting it leaves its bytes in a file for a while. */
  readonly secrets: SecretBox;
  readonly pseudonyms: Pseudonyms;
  readonly newId: () => string;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Taking away all that is kept of a user, in steps that may each be repeated. An erasure ends on the stores that were in
 * use when it began, whatever takes their place meanwhile, and goes on until it has; it also goes through the stores that
 * were in use before, where they can be reached. All methods throw `STORE_UNAVAILABLE` (retryable).
 */
export interface Erasures {
  /**
   * Notes whose memories go, and refuses changes of them from now on.
   * @param erasureId where a repeat must not begin a second one
   * @returns the id of the erasure
   */
  begin(userId: string, erasureId?: string): Promise<string>;
  /** Whose it is; undefined when it has ended. */
  userOf(erasureId: string): Promise<string | undefined>;
  /** Whether changes of the user's memories are refused now. */
  isUnderWay(userId: string): Promise<boolean>;
  /** Takes away a bounded number of memories. */
  step(erasureId: string, signal: AbortSignal): Promise<ErasureStep>;
  /** Takes away what indexes of vectors have, and lets the user write again. Nothing names the user afterwards. */
  finish(erasureId: string, signal: AbortSignal): Promise<ErasureEnd>;
}

/** Whose memories go, and from where: first the stores that were in use at the beginning. */
interface Erasure {
  readonly userId: string;
  readonly stores: readonly StoreSettings[];
}

interface StoredErasure {
  readonly sealed: string;
}

const COLLECTION = 'erasures';
/** The latest erasure of each user, by pseudonym. */
const USERS = 'erasing-users';
/** Memories taken away in one transaction, and transactions in one step. */
const BATCH = 500;
const MOST_BATCHES = 10;
const NOTHING: ErasedMemories = { episodic: 0, semantic: 0, relations: 0 };

export function createErasures({
  documents,
  stores,
  secrets,
  pseudonyms,
  newId,
  logger,
}: ErasuresPorts): Erasures {
  async function read(erasureId: string): Promise<Erasure | undefined> {
    const stored = await documents.get<StoredErasure>(COLLECTION, erasureId);
    return stored === undefined
      ? undefined
      : (JSON.parse(secrets.open(stored.value.sealed, COLLECTION)) as Erasure);
  }

  /** One store after the other, until `work` says that there is no time for more. @returns how many were not reached */
  async function throughAll(
    { stores: [inUse = {}, ...former] }: Erasure,
    signal: AbortSignal,
    work: (memory: Memory) => Promise<'go on' | 'enough'>,
  ): Promise<number> {
    let unreached = 0;
    if ((await stores.useThose(inUse, work)) === 'enough') return unreached;
    for (const settings of former) {
      try {
        if ((await stores.useThose(settings, work)) === 'enough') return unreached;
      } catch (error) {
        signal.throwIfAborted();
        unreached += 1;
        logger.warn(
          { reason: messageOf(error) },
          'a store that was in use before cannot be reached: what it holds of a user who is erased stays',
        );
      }
    }
    return unreached;
  }

  /** Nothing names the user afterwards; a later erasure of the same one goes on. */
  async function end(erasureId: string, userId: string): Promise<void> {
    const key = pseudonyms(USERS, userId);
    const latest = await documents.get<string>(USERS, key);
    const ended = { type: 'delete', collection: COLLECTION, key: erasureId } as const;
    const isLatest = latest?.value === erasureId;
    const user = { type: 'delete', collection: USERS, key, ifVersion: latest?.version ?? 0 } as const;
    if (isLatest && (await documents.write([ended, user]))) return;
    await documents.write([ended]);
  }

  return {
    async begin(userId, erasureId = newId()) {
      const erasure: Erasure = { userId, stores: await stores.everyStore() };
      const value: StoredErasure = { sealed: secrets.seal(JSON.stringify(erasure), COLLECTION) };
      await documents.write([
        { type: 'put', collection: COLLECTION, key: erasureId, value },
        { type: 'put', collection: USERS, key: pseudonyms(USERS, userId), value: erasureId },
      ]);
      await stores.useThose(erasure.stores[0] ?? {}, ({ graph }) => graph.beginErasure(userId));
      return erasureId;
    },
    userOf: async (erasureId) => (await read(erasureId))?.userId,
    isUnderWay: async (userId) => (await documents.get(USERS, pseudonyms(USERS, userId))) !== undefined,
    async step(erasureId, signal) {
      const erasure = await read(erasureId);
      // A repeat of the last step, whose answer was lost.
      if (erasure === undefined) return { ...NOTHING, done: true };
      const { userId } = erasure;
      let erased = NOTHING;
      let batches = 0;
      let done = true;
      await throughAll(erasure, signal, async ({ graph }) => {
        // Another erasure of the user may have ended meanwhile.
        await graph.beginErasure(userId);
        for (;;) {
          signal.throwIfAborted();
          const some = await graph.eraseSome(userId, BATCH);
          if (some.episodic + some.semantic === 0) return 'go on';
          erased = add(erased, some);
          batches += 1;
          if (batches < MOST_BATCHES) continue;
          done = false;
          return 'enough';
        }
      });
      return { ...erased, done };
    },
    async finish(erasureId, signal) {
      const erasure = await read(erasureId);
      if (erasure === undefined) return { unreached: 0 };
      const { userId } = erasure;
      const unreached = await throughAll(erasure, signal, async ({ graph, index }) => {
        if (index !== undefined) {
          const { current, next } = await graph.vectorSpaces();
          const latest = next?.id ?? current?.id ?? 0;
          for (let spaceId = 1; spaceId <= latest; spaceId += 1) {
            await index.removeUser(spaceId, userId, signal);
          }
        }
        await graph.endErasure(userId);
        return 'go on';
      });
      await end(erasureId, userId);
      return { unreached };
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
