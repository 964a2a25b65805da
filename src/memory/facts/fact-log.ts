import type { FactSource } from '../../contracts/facts';
import type { SecretBox } from '../../secrets/secret-box';
import type { StoredDocument, TenantDocuments } from '../../stores/documents';
import { memoryErasing } from '../../stores/memory/errors';

export interface FactLogPorts {
  readonly documents: Pick<TenantDocuments, 'get' | 'list' | 'write'>;
  /** Seals what was said, because the bytes of a deleted document stay in a file for a while. */
  readonly secrets: SecretBox;
  /** Builds the pseudonym that stands for a user in keys. */
  readonly pseudonym: (userId: string) => string;
}

/**
 * What memories say, one entry for each memory. Facts are worked out from it when they are read, so no change of a fact is lost
 * where two memories are stored at once. All methods throw `STORE_UNAVAILABLE` (retryable).
 */
export interface FactLog {
  /** Stores what a memory says, in the place of what it said before. @throws HoldfastError `MEMORY_ERASING` */
  record(userId: string, source: FactSource): Promise<void>;
  /** Returns what one memory says. */
  find(userId: string, memoryId: string): Promise<FactSource | undefined>;
  /** Lists what all memories of a user say, in the order of their ids. */
  read(userId: string): Promise<FactSource[]>;
  /** Removes what a memory says. */
  forget(userId: string, memoryId: string): Promise<void>;
  /** From now on `record` is refused for this user. May be called again. */
  beginErasure(userId: string): Promise<void>;
  /** Removes all entries of a user, and permits `record` again. May be called again. */
  endErasure(userId: string): Promise<void>;
}

const COLLECTION = 'facts';
/** Has a document for each user who is being erased. */
const ERASING = 'facts-erasing';
const PAGE = 1_000;

interface StoredSource {
  readonly sealed: string;
}

export function createFactLog({ documents, secrets, pseudonym }: FactLogPorts): FactLog {
  const keyOf = (userId: string, memoryId: string): string => `${pseudonym(userId)}/${memoryId}`;

  async function* entries(userId: string): AsyncGenerator<StoredDocument<StoredSource>[]> {
    const prefix = keyOf(userId, '');
    for (let after = prefix; ;) {
      const page = await documents.list<StoredSource>(COLLECTION, { after, limit: PAGE });
      const own = page.filter(({ key }) => key.startsWith(prefix));
      if (own.length > 0) yield own;
      const last = page.at(-1);
      if (last === undefined || own.length < PAGE) return;
      after = last.key;
    }
  }

  const open = ({ sealed }: StoredSource): FactSource =>
    JSON.parse(secrets.open(sealed, COLLECTION)) as FactSource;

  return {
    async find(userId, memoryId) {
      const stored = await documents.get<StoredSource>(COLLECTION, keyOf(userId, memoryId));
      return stored && open(stored.value);
    },
    async record(userId, source) {
      const key = keyOf(userId, source.memoryId);
      const value: StoredSource = { sealed: secrets.seal(JSON.stringify(source), COLLECTION) };
      const written = await documents.write([
        { type: 'put', collection: COLLECTION, key, value },
        // The delete changes nothing: it refuses the write where there is a document of an erasure.
        { type: 'delete', collection: ERASING, key: pseudonym(userId), ifVersion: 0 },
      ]);
      if (!written) throw memoryErasing();
    },
    async read(userId) {
      const sources: FactSource[] = [];
      for await (const page of entries(userId)) for (const { value } of page) sources.push(open(value));
      return sources;
    },
    async forget(userId, memoryId) {
      await documents.write([{ type: 'delete', collection: COLLECTION, key: keyOf(userId, memoryId) }]);
    },
    async beginErasure(userId) {
      await documents.write([{ type: 'put', collection: ERASING, key: pseudonym(userId), value: true }]);
    },
    async endErasure(userId) {
      for await (const page of entries(userId))
        await documents.write(page.map(({ key }) => ({ type: 'delete', collection: COLLECTION, key })));
      await documents.write([{ type: 'delete', collection: ERASING, key: pseudonym(userId) }]);
    },
  };
}
