import type { FactSource } from '../../contracts/facts';
import type { ConsolidationName } from '../../contracts/runs/consolidation';
import type { SecretBox } from '../../secrets/secret-box';
import { CONFLICT, untilNoConflict } from '../../stores/compare-and-set';
import type { DocumentWrite, TenantDocuments } from '../../stores/documents';
import { listUnder, pagesUnder } from '../../stores/list-under';
import { memoryErasing } from '../../stores/memory/errors';
import type { Neighbours } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';

/** A memory with all that is needed to restore it. */
export interface ArchivedMemory {
  readonly node: MemoryNode;
  /** Its neighbours in its session. */
  readonly neighbours: Neighbours;
  /** The facts that it says. */
  readonly source?: FactSource;
}

/** What is known of a consolidation besides the copies. */
export interface StoredConsolidation {
  readonly id: string;
  /** When it began to change memories, epoch milliseconds. */
  readonly at: number;
  /** Number of archived memories; absent while it is under way. */
  readonly archived?: number;
  /** Ids of the memories that are summaries. */
  readonly summaries?: readonly string[];
  /** Epoch milliseconds; absent if it was not undone. */
  readonly undoneAt?: number;
}

export interface ArchivePorts {
  readonly documents: Pick<TenantDocuments, 'get' | 'list' | 'write'>;
  /** Seals the copies, because the bytes of a deleted document stay in a file for a while. */
  readonly secrets: SecretBox;
  /** Builds the pseudonym that stands for a user in keys. */
  readonly pseudonym: (userId: string) => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Copies of archived memories, until they expire. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface MemoryArchive {
  /**
   * Notes what is known of a consolidation, in addition to what is noted already.
   * @throws HoldfastError `MEMORY_ERASING`
   */
  note(
    { userId, consolidationId }: ConsolidationName,
    known: Partial<StoredConsolidation>,
  ): Promise<StoredConsolidation>;
  find({ userId, consolidationId }: ConsolidationName): Promise<StoredConsolidation | undefined>;
  /** Lists the consolidations of a user, the latest first. */
  list(userId: string): Promise<StoredConsolidation[]>;
  /**
   * Stores the copy of a memory. Its place in the order of the consolidation says which it is.
   * @returns whether there was no copy at the place
   * @throws HoldfastError `MEMORY_ERASING`
   */
  put(name: ConsolidationName, place: number, copy: ArchivedMemory): Promise<boolean>;
  /** Removes a copy that was put once. @returns false, and removes nothing, if it was put again */
  removeOnce(name: ConsolidationName, place: number): Promise<boolean>;
  get(name: ConsolidationName, place: number): Promise<ArchivedMemory | undefined>;
  remove(name: ConsolidationName, places: readonly number[]): Promise<void>;
  /** Reads up to `limit` copies with their places, those that were archived last first. */
  latest(name: ConsolidationName, limit: number): Promise<Map<number, ArchivedMemory>>;
  /** Reads all copies of a user, page by page. */
  copies(userId: string): AsyncGenerator<ArchivedMemory[]>;
  /** From now on copies of this user are refused. May be called again. */
  beginErasure(userId: string): Promise<void>;
  /** Removes up to `limit` copies of a user. @returns how many it removed */
  eraseSome(userId: string, limit: number): Promise<number>;
  /** Removes what is known of the user's consolidations, and permits copies again. May be called again. */
  endErasure(userId: string): Promise<void>;
}

const DAY_MS = 86_400_000;
/** How long a consolidation can be undone. */
export const UNDOABLE_MS = 7 * DAY_MS;
/** Copies are there a day longer, so that an undo that began in time finds all of them. */
const COPIES_MS = UNDOABLE_MS + DAY_MS;
/** For so long the service knows that there was a consolidation. */
const KNOWN_MS = 30 * DAY_MS;
export const COPIES = 'archived-memories';
export const CONSOLIDATIONS = 'consolidations';
/** Has a document for each user who is being erased. */
const ERASING = 'archive-erasing';
/** Keys begin with the last place, so that a list reads in the reverse order of archiving. */
const MAX_PLACE = 999_999;

export interface StoredCopy {
  readonly sealed: string;
}

/** Copies of earlier builds have no time of storing, which was that of the memory. */
type StoredArchived = Omit<ArchivedMemory, 'node'> & {
  readonly node: Omit<MemoryNode, 'storedAt'> & Partial<Pick<MemoryNode, 'storedAt'>>;
};

/** When a copy, or what is known of a consolidation, expires at the latest; epoch milliseconds. Pure. */
export function expiryOf(collection: typeof COPIES | typeof CONSOLIDATIONS, began: number): number {
  return began + (collection === COPIES ? COPIES_MS : KNOWN_MS);
}

/** @throws if it was sealed with a former key */
export function openCopy(secrets: SecretBox, { sealed }: StoredCopy): ArchivedMemory {
  const copy = JSON.parse(secrets.open(sealed, COPIES)) as StoredArchived;
  const { timestamp, storedAt = timestamp } = copy.node;
  return { ...copy, node: { ...copy.node, storedAt } };
}

export function createMemoryArchive({ documents, secrets, pseudonym, now }: ArchivePorts): MemoryArchive {
  const nameKey = ({ userId, consolidationId }: ConsolidationName): string =>
    `${pseudonym(userId)}/${consolidationId}`;
  const copyKey = (name: ConsolidationName, place: number): string =>
    `${nameKey(name)}/${String(MAX_PLACE - place).padStart(6, '0')}`;
  const consolidationsOf = (userId: string) =>
    pagesUnder<StoredConsolidation>(documents, CONSOLIDATIONS, `${pseudonym(userId)}/`);

  /** @returns false if the version does not match */
  async function write(userId: string, put: DocumentWrite): Promise<boolean> {
    const written = await documents.write([
      put,
      // The delete changes nothing: it refuses the write if there is a document of an erasure.
      { type: 'delete', collection: ERASING, key: pseudonym(userId), ifVersion: 0 },
    ]);
    if (!written && (await documents.get(ERASING, pseudonym(userId))) !== undefined) throw memoryErasing();
    return written;
  }

  return {
    note: (name, known) =>
      // A run and its undo may note something at once.
      untilNoConflict('what is known of a consolidation', async () => {
        const key = nameKey(name);
        const stored = await documents.get<StoredConsolidation>(CONSOLIDATIONS, key);
        const value = { id: name.consolidationId, at: now(), ...stored?.value, ...known };
        const versions = { ifVersion: stored?.version ?? 0, expiresAt: value.at + KNOWN_MS };
        const put = { type: 'put', collection: CONSOLIDATIONS, key, value, ...versions } as const;
        return (await write(name.userId, put)) ? value : CONFLICT;
      }),
    async find(name) {
      return (await documents.get<StoredConsolidation>(CONSOLIDATIONS, nameKey(name)))?.value;
    },
    async list(userId) {
      const consolidations: StoredConsolidation[] = [];
      for await (const page of consolidationsOf(userId))
        consolidations.push(...page.map(({ value }) => value));
      return consolidations.sort((one, other) => other.at - one.at);
    },
    async put(name, place, copy) {
      const value: StoredCopy = { sealed: secrets.seal(JSON.stringify(copy), COPIES) };
      const expiresAt = now() + COPIES_MS;
      const put = { type: 'put', collection: COPIES, key: copyKey(name, place), value, expiresAt } as const;
      if (await write(name.userId, { ...put, ifVersion: 0 })) return true;
      await write(name.userId, put);
      return false;
    },
    removeOnce: (name, place) =>
      documents.write([{ type: 'delete', collection: COPIES, key: copyKey(name, place), ifVersion: 1 }]),
    async get(name, place) {
      const stored = await documents.get<StoredCopy>(COPIES, copyKey(name, place));
      return stored && openCopy(secrets, stored.value);
    },
    async remove(name, places) {
      if (places.length === 0) return;
      await documents.write(
        places.map((place) => ({ type: 'delete', collection: COPIES, key: copyKey(name, place) })),
      );
    },
    async latest(name, limit) {
      const prefix = `${nameKey(name)}/`;
      const stored = await listUnder<StoredCopy>(documents, COPIES, prefix, { limit });
      return new Map(
        stored.map(({ key, value }) => [
          MAX_PLACE - Number(key.slice(prefix.length)),
          openCopy(secrets, value),
        ]),
      );
    },
    async *copies(userId) {
      for await (const page of pagesUnder<StoredCopy>(documents, COPIES, `${pseudonym(userId)}/`))
        yield page.map(({ value }) => openCopy(secrets, value));
    },
    async beginErasure(userId) {
      await documents.write([{ type: 'put', collection: ERASING, key: pseudonym(userId), value: true }]);
    },
    async eraseSome(userId, limit) {
      const stored = await listUnder(documents, COPIES, `${pseudonym(userId)}/`, { limit });
      if (stored.length > 0)
        await documents.write(stored.map(({ key }) => ({ type: 'delete', collection: COPIES, key })));
      return stored.length;
    },
    async endErasure(userId) {
      for await (const page of consolidationsOf(userId))
        await documents.write(page.map(({ key }) => ({ type: 'delete', collection: CONSOLIDATIONS, key })));
      await documents.write([{ type: 'delete', collection: ERASING, key: pseudonym(userId) }]);
    },
  };
}
