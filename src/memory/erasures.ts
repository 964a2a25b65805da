import type { ErasedMemories, ErasureEnd, ErasureStep } from '../contracts/runs/memory';
import type { Pseudonyms } from '../secrets/pseudonyms';
import type { SecretBox } from '../secrets/secret-box';
import type { TenantDocuments } from '../stores/documents';
import type { ErasureReceipts, ErasureReport } from './erasure-receipts';
import { type FormerStore, mayHold } from './stores/former-stores';
import type { Memory } from './service/create-memory';
import type { PassCursor } from './upkeep/pass-cursor';

export interface ErasuresPorts {
  readonly documents: TenantDocuments;
  /** The memory in the stores in use. @throws HoldfastError `STORE_UNAVAILABLE` */
  readonly open: () => Promise<Pick<Memory, 'graph' | 'index'>>;
  readonly formerStores: () => Promise<readonly FormerStore[]>;
  /** Seals the user's name, because the bytes of a deleted document stay in a file for a while. */
  readonly secrets: SecretBox;
  readonly pseudonyms: Pseudonyms;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly receipts: Pick<ErasureReceipts, 'issue'>;
  readonly passCursors: readonly Pick<PassCursor, 'forget'>[];
}

/**
 * Erases all memories of a user from the stores in use, in steps that may each be repeated. If other stores replace these
 * meanwhile, it ends on the others, and its receipt names those that may still hold memories. All methods throw
 * `STORE_UNAVAILABLE` (retryable).
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
  /**
   * The id of the latest erasure of the user that has begun within a day; undefined for none. What is the same before and after a write
   * that no store of memories guards shows that no erasure has begun meanwhile.
   */
  latestOf(userId: string): Promise<string | undefined>;
  /** Whether changes are refused of any user whom the caller knows by a pseudonym alone. */
  isUnderWayFor(isMeant: (userId: string) => boolean): Promise<boolean>;
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

/** Builds before 1.1 have written stores too, which are ignored. */
interface Erasure {
  readonly userId: string;
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
/** Names the latest erasure that has begun for each user, by pseudonym, also when it has ended. */
const BEGUN = 'begun-erasures';
/** Every write that is compared with it takes less time, milliseconds. */
const KEEP_BEGUN_MS = 86_400_000;
/** Number of memories erased in one transaction, and maximum number of transactions in one step. */
const BATCH = 500;
const MAX_BATCHES = 10;
const NOTHING: ErasedMemories = { episodic: 0, semantic: 0, relations: 0, archived: 0 };

export function createErasures({
  documents,
  open: openMemory,
  formerStores,
  secrets,
  pseudonyms,
  newId,
  now,
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

  /** @returns undefined for one that was sealed with another SECRETS_KEY. It blocks no user, as the pseudonyms differ too. */
  function tryOpen(value: StoredErasure): Erasure | undefined {
    try {
      return open(value);
    } catch {
      return undefined;
    }
  }

  /** Finds the earlier erasures of the user that have not ended. */
  async function findUnended(userId: string, erasureId: string): Promise<string[]> {
    const key = pseudonyms(USERS, userId);
    // `getMany` reads settled documents: the erasure of this id was written with it, and is read next.
    const latest = (await documents.getMany<string>(USERS, [key])).get(key);
    const before = latest && (await read(latest.value));
    if (latest === undefined || before === undefined) return [];
    return [latest.value, ...before.earlier].filter((id) => id !== erasureId);
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

  return {
    async begin(userId, workflowId, erasureId = newId()) {
      const { graph } = await openMemory();
      const earlier = await findUnended(userId, erasureId);
      const erasure: Erasure = { userId, workflowId, since: now(), earlier };
      const value: StoredErasure = { sealed: secrets.seal(JSON.stringify(erasure), COLLECTION) };
      await documents.write([
        { type: 'put', collection: COLLECTION, key: erasureId, value },
        { type: 'put', collection: USERS, key: pseudonyms(USERS, userId), value: erasureId },
        {
          type: 'put',
          collection: BEGUN,
          key: pseudonyms(BEGUN, userId),
          value: erasureId,
          expiresAt: now() + KEEP_BEGUN_MS,
        },
      ]);
      await graph.beginErasure(userId);
      return erasureId;
    },
    async list() {
      const stored = await documents.list<StoredErasure>(COLLECTION);
      return stored.flatMap(({ key, value }): UnendedErasure[] => {
        const erasure = tryOpen(value);
        return erasure === undefined
          ? []
          : [{ erasureId: key, workflowId: erasure.workflowId, since: erasure.since }];
      });
    },
    userOf: async (erasureId) => (await read(erasureId))?.userId,
    isUnderWay: async (userId) => (await documents.get(USERS, pseudonyms(USERS, userId))) !== undefined,
    latestOf: async (userId) => (await documents.get<string>(BEGUN, pseudonyms(BEGUN, userId)))?.value,
    async isUnderWayFor(isMeant) {
      for (const { value } of await documents.list<StoredErasure>(COLLECTION)) {
        const { userId } = tryOpen(value) ?? {};
        if (userId !== undefined && isMeant(userId)) return true;
      }
      return false;
    },
    async step(erasureId, signal) {
      const erasure = await read(erasureId);
      // This is a repeat of the last step, whose result was lost.
      if (erasure === undefined) return { ...NOTHING, done: true };
      const { userId } = erasure;
      const { graph } = await openMemory();
      let erased = NOTHING;
      let batches = 0;
      for await (const some of eraseAll(graph, userId, signal)) {
        erased = addCounts(erased, some);
        batches += 1;
        if (batches === MAX_BATCHES) return { ...erased, done: false };
      }
      return { ...erased, done: true };
    },
    async finish(erasureId, signal, erased) {
      const erasure = await read(erasureId);
      if (erasure === undefined) return { unreached: 0 };
      const { userId, since } = erasure;
      const memory = await openMemory();
      // Memories may have come since the steps, by a restored backup or because other stores are in use now.
      for await (const _ of eraseAll(memory.graph, userId, signal)) continue;
      await removeVectors(memory, userId, signal);
      await memory.graph.endErasure(userId);
      for (const cursor of passCursors) await cursor.forget(userId);
      const former = await formerStores();
      const report = { erasureId, userId, since, formerStores: former };
      await receipts.issue(erased === undefined ? report : { ...report, erased });
      await deleteDocuments(erasureId, erasure);
      return { unreached: former.filter(mayHold).length };
    },
  };
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

/**
 * Erases a user's memories, batch by batch, until none are left. Another erasure of the user may have ended meanwhile, or other
 * stores may have come into use, so it has the store refuse changes first.
 */
async function* eraseAll(
  graph: Memory['graph'],
  userId: string,
  signal: AbortSignal,
): AsyncGenerator<ErasedMemories> {
  await graph.beginErasure(userId);
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
