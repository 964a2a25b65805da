import type { ErasedMemories, ErasureEnd, ErasureStep } from '../contracts/runs/memory';
import { messageOf } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Pseudonyms } from '../secrets/pseudonyms';
import type { SecretBox } from '../secrets/secret-box';
import type { DocumentStore } from '../stores/documents';
import type { AllMemoryStores } from './stores/memory-stores';
import type { StoreSettings } from './stores/settings';
import type { Memory } from './service/create-memory';

export interface ErasuresPorts {
  readonly documents: DocumentStore;
  readonly stores: Pick<AllMemoryStores, 'useThose' | 'everyStore'>;
  /** Keeps the user's name unreadable: deleting it leaves its bytes in a file for a while. */
  readonly secrets: SecretBox;
  readonly pseudonyms: Pseudonyms;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Taking away all that is kept of a user, in steps that may each be repeated. An erasure ends on the stores that were in
 * use when it began, whatever takes their place meanwhile, and goes on until it has; it also goes through the stores that
 * were in use before, where they can be reached. All methods throw `STORE_UNAVAILABLE` (retryable).
 */
export interface Erasures {
  /**
   * Notes whose memories go, and refuses changes of them from now on. It ends what earlier erasures of the user did not.
   * @param workflowId of the run that takes the steps
   * @param erasureId where a repeat must not begin a second one
   * @returns the id of the erasure
   */
  begin(userId: string, workflowId: string, erasureId?: string): Promise<string>;
  /** Those that have begun and not ended; a thousand at most. */
  list(): Promise<readonly UnendedErasure[]>;
  /** Whose it is; undefined when it has ended. */
  userOf(erasureId: string): Promise<string | undefined>;
  /** Whether changes of the user's memories are refused now. */
  isUnderWay(userId: string): Promise<boolean>;
  /** Takes away a bounded number of memories. */
  step(erasureId: string, signal: AbortSignal): Promise<ErasureStep>;
  /** Takes away what indexes of vectors have, and lets the user write again. Nothing names the user afterwards. */
  finish(erasureId: string, signal: AbortSignal): Promise<ErasureEnd>;
}

/** An erasure that somebody has to take the steps of. */
export interface UnendedErasure {
  readonly erasureId: string;
  /** Of the run that was to take them. */
  readonly workflowId: string;
  /** When it began, epoch milliseconds. */
  readonly since: number;
}

/** Whose memories go, and from where: first the stores that were in use at the beginning. */
interface Erasure {
  readonly userId: string;
  readonly stores: readonly StoreSettings[];
  readonly workflowId: string;
  readonly since: number;
  /** Earlier erasures of the user that had not ended, and end with this one. */
  readonly earlier: readonly string[];
}

interface StoredErasure {
  readonly sealed: string;
}

const COLLECTION = 'erasures';
/** The latest erasure of each user, by pseudonym. */
const USERS = 'erasing-users';
/** Memories taken away in one transaction, and transactions in one step. */
const BATCH = 500;
const MAX_BATCHES = 10;
const NOTHING: ErasedMemories = { episodic: 0, semantic: 0, relations: 0 };

export function createErasures({
  documents,
  stores,
  secrets,
  pseudonyms,
  newId,
  now,
  logger,
}: ErasuresPorts): Erasures {
  async function read(erasureId: string): Promise<Erasure | undefined> {
    const stored = await documents.get<StoredErasure>(COLLECTION, erasureId);
    return stored === undefined ? undefined : open(stored.value);
  }

  function open({ sealed }: StoredErasure): Erasure {
    return JSON.parse(secrets.open(sealed, COLLECTION)) as Erasure;
  }

  /** What the latest erasure of the user has not ended, where there is one. */
  async function unended(userId: string, erasureId: string): Promise<Pick<Erasure, 'stores' | 'earlier'>> {
    const key = pseudonyms(USERS, userId);
    // Settled: the erasure that it names was written with it, and is read next.
    const latest = (await documents.getMany<string>(USERS, [key])).get(key);
    const before = latest && (await read(latest.value));
    if (latest === undefined || before === undefined) return { stores: [], earlier: [] };
    const ids = new Set([latest.value, ...before.earlier]);
    ids.delete(erasureId);
    return { stores: before.stores, earlier: [...ids] };
  }

  /** One store after the other, until `work` says that there is no time for more. @returns how many were not reached */
  async function throughFormer(
    { stores: [, ...former] }: Erasure,
    signal: AbortSignal,
    work: (memory: Memory) => Promise<'go on' | 'enough'>,
  ): Promise<number> {
    let unreached = 0;
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
  async function end(erasureId: string, { userId, earlier }: Erasure): Promise<void> {
    const key = pseudonyms(USERS, userId);
    const latest = await documents.get<string>(USERS, key);
    const ended = [erasureId, ...earlier].map(
      (id) => ({ type: 'delete', collection: COLLECTION, key: id }) as const,
    );
    const isLatest = latest?.value === erasureId;
    const user = { type: 'delete', collection: USERS, key, ifVersion: latest?.version ?? 0 } as const;
    if (isLatest && (await documents.write([...ended, user]))) return;
    await documents.write(ended);
  }

  function onFirst<T>({ stores: [first = {}] }: Erasure, work: (memory: Memory) => Promise<T>): Promise<T> {
    return stores.useThose(first, work);
  }

  return {
    async begin(userId, workflowId, erasureId = newId()) {
      const before = await unended(userId, erasureId);
      const erasure: Erasure = {
        userId,
        workflowId,
        since: now(),
        stores: eachOnce([...(await stores.everyStore()), ...before.stores]),
        earlier: before.earlier,
      };
      const value: StoredErasure = { sealed: secrets.seal(JSON.stringify(erasure), COLLECTION) };
      await documents.write([
        { type: 'put', collection: COLLECTION, key: erasureId, value },
        { type: 'put', collection: USERS, key: pseudonyms(USERS, userId), value: erasureId },
      ]);
      await onFirst(erasure, ({ graph }) => graph.beginErasure(userId));
      return erasureId;
    },
    async list() {
      const stored = await documents.list<StoredErasure>(COLLECTION);
      return stored.flatMap(({ key, value }): UnendedErasure[] => {
        try {
          const { workflowId, since } = open(value);
          return [{ erasureId: key, workflowId, since }];
        } catch {
          // Sealed with another SECRETS_KEY: it keeps nobody from writing, as the pseudonyms are others too.
          return [];
        }
      });
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
      const takeAway = async ({ graph }: Memory): Promise<'go on' | 'enough'> => {
        // Another erasure of the user may have ended meanwhile.
        await graph.beginErasure(userId);
        for await (const some of eraseAll(graph, userId, signal)) {
          erased = add(erased, some);
          batches += 1;
          if (batches < MAX_BATCHES) continue;
          done = false;
          return 'enough';
        }
        return 'go on';
      };
      if ((await onFirst(erasure, takeAway)) === 'go on') await throughFormer(erasure, signal, takeAway);
      return { ...erased, done };
    },
    async finish(erasureId, signal) {
      const erasure = await read(erasureId);
      if (erasure === undefined) return { unreached: 0 };
      const { userId } = erasure;
      // The one in use is the last to let the user write again, as one of the others may have the same graph.
      const unreached = await throughFormer(erasure, signal, async ({ graph, index }) => {
        await emptied(graph, userId, signal);
        await graph.endErasure(userId);
        await removeVectors({ graph, index }, userId, signal);
        return 'go on';
      });
      await onFirst(erasure, async ({ graph, index }) => {
        await emptied(graph, userId, signal);
        await removeVectors({ graph, index }, userId, signal);
        await graph.endErasure(userId);
      });
      await end(erasureId, erasure);
      return { unreached };
    },
  };
}

function eachOnce(settings: readonly StoreSettings[]): StoreSettings[] {
  return [...new Map(settings.map((each) => [JSON.stringify(each), each])).values()];
}

/** Also where the steps did not come to: a store that was away may be back. */
async function emptied(graph: Memory['graph'], userId: string, signal: AbortSignal): Promise<void> {
  await graph.beginErasure(userId);
  for await (const _ of eraseAll(graph, userId, signal)) continue;
}

async function removeVectors(
  { graph, index }: Pick<Memory, 'graph' | 'index'>,
  userId: string,
  signal: AbortSignal,
): Promise<void> {
  if (index === undefined) return;
  const { current, next } = await graph.vectorSpaces();
  const latest = next?.id ?? current?.id ?? 0;
  for (let spaceId = 1; spaceId <= latest; spaceId += 1) await index.removeUser(spaceId, userId, signal);
}

/** Takes away a user's memories, batch by batch, until none is left. */
async function* eraseAll(
  graph: Memory['graph'],
  userId: string,
  signal: AbortSignal,
): AsyncGenerator<ErasedMemories> {
  for (;;) {
    signal.throwIfAborted();
    const some = await graph.eraseSome(userId, BATCH);
    if (some.episodic + some.semantic === 0) return;
    yield some;
  }
}

function add(one: ErasedMemories, other: ErasedMemories): ErasedMemories {
  return {
    episodic: one.episodic + other.episodic,
    semantic: one.semantic + other.semantic,
    relations: one.relations + other.relations,
  };
}
