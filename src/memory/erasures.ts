import type { ErasedMemories, ErasureEnd, ErasureStep } from '../contracts/runs/memory';
import { messageOf } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Pseudonyms } from '../secrets/pseudonyms';
import type { SecretBox } from '../secrets/secret-box';
import type { TenantDocuments } from '../stores/documents';
import type { ErasureReceipts, ErasureReport } from './erasure-receipts';
import type { AllMemoryStores } from './stores/memory-stores';
import type { StoreSettings } from './stores/settings';
import type { TenantMemory } from './service/create-memory';
import type { PassCursor } from './upkeep/pass-cursor';

export interface ErasuresPorts {
  readonly documents: TenantDocuments;
  readonly stores: Pick<AllMemoryStores, 'useStores' | 'listStores'>;
  /** Seals the user's name, because the bytes of a deleted document stay in a file for a while. */
  readonly secrets: SecretBox;
  readonly pseudonyms: Pseudonyms;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
  readonly receipts: Pick<ErasureReceipts, 'issue'>;
  readonly passCursors: readonly Pick<PassCursor, 'forget'>[];
}

/**
 * Erases all memories of a user, in steps that may each be repeated. An erasure ends on the stores that were in use
 * when it began, even if other stores replace them meanwhile, and continues until then. It also erases from the
 * previous stores that can be reached. All methods throw `STORE_UNAVAILABLE` (retryable).
 */
export interface Erasures {
  /**
   * Records whose memories are erased, and refuses changes of them from now on. It includes the work of earlier
   * erasures of the user that have not ended.
   * @param workflowId the run that executes the steps
   * @param erasureId the id, if a repeat must not begin a second erasure
   * @returns the id of the erasure
   */
  begin(userId: string, workflowId: string, erasureId?: string): Promise<string>;
  /** Lists up to a thousand erasures that have begun and not ended. */
  list(): Promise<readonly UnendedErasure[]>;
  /** The user of an erasure; undefined when it has ended. */
  userOf(erasureId: string): Promise<string | undefined>;
  /** Whether changes of the user's memories are refused now. */
  isUnderWay(userId: string): Promise<boolean>;
  /** Erases a bounded number of memories. */
  step(erasureId: string, signal: AbortSignal): Promise<ErasureStep>;
  /**
   * Removes the user's vectors from the indexes, permits the user to write again, and issues the receipt. No document names the
   * user afterwards.
   * @param erased what the steps erased, for the receipt
   */
  finish(erasureId: string, signal: AbortSignal, erased?: ErasureReport['erased']): Promise<ErasureEnd>;
}

/** An erasure whose steps a run still has to execute. */
export interface UnendedErasure {
  readonly erasureId: string;
  /** The run that was started to execute them. */
  readonly workflowId: string;
  /** The time when it began, epoch milliseconds. */
  readonly since: number;
}

/** The user and the stores of an erasure. The stores that were in use at its beginning are the first. */
interface Erasure {
  readonly userId: string;
  readonly stores: readonly StoreSettings[];
  readonly workflowId: string;
  readonly since: number;
  /** Earlier erasures of the user that had not ended. They end with this one. */
  readonly earlier: readonly string[];
}

interface StoredErasure {
  readonly sealed: string;
}

const COLLECTION = 'erasures';
/** Names the latest erasure of each user, by pseudonym. */
const USERS = 'erasing-users';
/** Number of memories erased in one transaction, and maximum number of transactions in one step. */
const BATCH = 500;
const MAX_BATCHES = 10;
const NOTHING: ErasedMemories = { episodic: 0, semantic: 0, relations: 0, archived: 0 };

export function createErasures({
  documents,
  stores,
  secrets,
  pseudonyms,
  newId,
  now,
  logger,
  receipts,
  passCursors,
}: ErasuresPorts): Erasures {
  async function read(erasureId: string): Promise<Erasure | undefined> {
    const stored = await documents.get<StoredErasure>(COLLECTION, erasureId);
    return stored === undefined ? undefined : open(stored.value);
  }

  function open({ sealed }: StoredErasure): Erasure {
    return JSON.parse(secrets.open(sealed, COLLECTION)) as Erasure;
  }

  /** Finds the stores and the earlier erasures that the user's latest erasure has not finished. */
  async function findUnended(
    userId: string,
    erasureId: string,
  ): Promise<Pick<Erasure, 'stores' | 'earlier'>> {
    const key = pseudonyms(USERS, userId);
    // `getMany` reads settled documents: the erasure of this id was written with it, and is read next.
    const latest = (await documents.getMany<string>(USERS, [key])).get(key);
    const before = latest && (await read(latest.value));
    if (latest === undefined || before === undefined) return { stores: [], earlier: [] };
    const ids = new Set([latest.value, ...before.earlier]);
    ids.delete(erasureId);
    return { stores: before.stores, earlier: [...ids] };
  }

  /**
   * Runs `work` on the previous stores, one after the other, until it returns `stop`.
   * @returns the number of stores that were not reached
   */
  async function onPreviousStores(
    { stores: [, ...previous] }: Erasure,
    signal: AbortSignal,
    work: (memory: TenantMemory) => Promise<'continue' | 'stop'>,
  ): Promise<number> {
    let unreached = 0;
    for (const settings of previous) {
      try {
        if ((await stores.useStores(settings, work)) === 'stop') return unreached;
      } catch (error) {
        signal.throwIfAborted();
        unreached += 1;
        logger.warn(
          { reason: messageOf(error) },
          'a previous store cannot be reached, so the memories of an erased user stay in it',
        );
      }
    }
    return unreached;
  }

  /** Deletes the documents that name the user; a later erasure of the same user keeps its documents and continues. */
  async function deleteDocuments(erasureId: string, { userId, earlier }: Erasure): Promise<void> {
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

  function onOriginalStores<T>(
    { stores: [first = {}] }: Erasure,
    work: (memory: TenantMemory) => Promise<T>,
  ): Promise<T> {
    return stores.useStores(first, work);
  }

  return {
    async begin(userId, workflowId, erasureId = newId()) {
      const before = await findUnended(userId, erasureId);
      const erasure: Erasure = {
        userId,
        workflowId,
        since: now(),
        stores: withoutDuplicates([...(await stores.listStores()), ...before.stores]),
        earlier: before.earlier,
      };
      const value: StoredErasure = { sealed: secrets.seal(JSON.stringify(erasure), COLLECTION) };
      await documents.write([
        { type: 'put', collection: COLLECTION, key: erasureId, value },
        { type: 'put', collection: USERS, key: pseudonyms(USERS, userId), value: erasureId },
      ]);
      await onOriginalStores(erasure, ({ graph }) => graph.beginErasure(userId));
      return erasureId;
    },
    async list() {
      const stored = await documents.list<StoredErasure>(COLLECTION);
      return stored.flatMap(({ key, value }): UnendedErasure[] => {
        try {
          const { workflowId, since } = open(value);
          return [{ erasureId: key, workflowId, since }];
        } catch {
          // The document was sealed with another SECRETS_KEY. It blocks no user, because the pseudonyms differ too.
          return [];
        }
      });
    },
    userOf: async (erasureId) => (await read(erasureId))?.userId,
    isUnderWay: async (userId) => (await documents.get(USERS, pseudonyms(USERS, userId))) !== undefined,
    async step(erasureId, signal) {
      const erasure = await read(erasureId);
      // This is a repeat of the last step, whose result was lost.
      if (erasure === undefined) return { ...NOTHING, done: true };
      const { userId } = erasure;
      let erased = NOTHING;
      let batches = 0;
      let done = true;
      const eraseBatches = async ({ graph }: TenantMemory): Promise<'continue' | 'stop'> => {
        // Another erasure of the user may have ended meanwhile.
        await graph.beginErasure(userId);
        for await (const some of eraseAll(graph, userId, signal)) {
          erased = addCounts(erased, some);
          batches += 1;
          if (batches < MAX_BATCHES) continue;
          done = false;
          return 'stop';
        }
        return 'continue';
      };
      if ((await onOriginalStores(erasure, eraseBatches)) === 'continue')
        await onPreviousStores(erasure, signal, eraseBatches);
      return { ...erased, done };
    },
    async finish(erasureId, signal, erased) {
      const erasure = await read(erasureId);
      if (erasure === undefined) return { unreached: 0 };
      const { userId } = erasure;
      // The stores in use are the last to permit writing again, because a previous store may have the same graph.
      const unreached = await onPreviousStores(erasure, signal, async ({ graph, index }) => {
        await eraseRemaining(graph, userId, signal);
        await graph.endErasure(userId);
        await removeVectors({ graph, index }, userId, signal);
        return 'continue';
      });
      await onOriginalStores(erasure, async ({ graph, index }) => {
        await eraseRemaining(graph, userId, signal);
        await removeVectors({ graph, index }, userId, signal);
        await graph.endErasure(userId);
      });
      for (const cursor of passCursors) await cursor.forget(userId);
      const report = { erasureId, userId, since: erasure.since, stores: erasure.stores.length, unreached };
      await receipts.issue(erased === undefined ? report : { ...report, erased });
      await deleteDocuments(erasureId, erasure);
      return { unreached };
    },
  };
}

function withoutDuplicates(settings: readonly StoreSettings[]): StoreSettings[] {
  return [...new Map(settings.map((each) => [JSON.stringify(each), each])).values()];
}

/** Erases the user's remaining memories, also in stores that were unavailable during the steps. */
async function eraseRemaining(
  graph: TenantMemory['graph'],
  userId: string,
  signal: AbortSignal,
): Promise<void> {
  await graph.beginErasure(userId);
  for await (const _ of eraseAll(graph, userId, signal)) continue;
}

async function removeVectors(
  { graph, index }: Pick<TenantMemory, 'graph' | 'index'>,
  userId: string,
  signal: AbortSignal,
): Promise<void> {
  if (index === undefined) return;
  const { current, next } = await graph.vectorSpaces();
  const latest = next?.id ?? current?.id ?? 0;
  for (let spaceId = 1; spaceId <= latest; spaceId += 1) await index.removeUser(spaceId, userId, signal);
}

/** Erases a user's memories, batch by batch, until none are left. */
async function* eraseAll(
  graph: TenantMemory['graph'],
  userId: string,
  signal: AbortSignal,
): AsyncGenerator<ErasedMemories> {
  for (;;) {
    signal.throwIfAborted();
    const some = await graph.eraseSome(userId, BATCH);
    if (some.episodic + some.semantic + (some.archived ?? 0) === 0) return;
    yield some;
  }
}

function addCounts(one: ErasedMemories, other: ErasedMemories): ErasedMemories {
  return {
    episodic: one.episodic + other.episodic,
    semantic: one.semantic + other.semantic,
    relations: one.relations + other.relations,
    archived: (one.archived ?? 0) + (other.archived ?? 0),
  };
}
