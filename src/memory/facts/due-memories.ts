import type { FactSource } from '../../contracts/facts';
import type { SecretBox } from '../../secrets/secret-box';
import type { PutDocument, StoredDocument, TenantDocuments } from '../../stores/documents';

export interface DueMemoriesPorts {
  readonly documents: Pick<TenantDocuments, 'list'>;
  /** Seals the ids, because the bytes of a deleted document stay in a file for a while. */
  readonly secrets: SecretBox;
  /** Builds the pseudonym that stands for a user in keys. */
  readonly pseudonym: (userId: string) => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A memory whose facts a model has still to draw. */
export interface DueMemory extends Pick<FactSource, 'memoryId' | 'at' | 'runId'> {
  readonly userId: string;
  readonly sessionId: string;
}

/** A due memory as it was read. */
export interface StoredDue {
  readonly memory: DueMemory;
  /** Rises where the memory is changed before a model has read it. */
  readonly version: number;
}

/** The memories that a model has still to read. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface DueMemories {
  /** Lists up to `limit` users with due memories. `owner` is the pseudonym that `next` takes. */
  owners(limit: number): Promise<{ readonly owner: string; readonly userId: string }[]>;
  /** Reads the due memory of an owner that was made first; undefined where none is due. */
  next(owner: string): Promise<StoredDue | undefined>;
  /** Lists the keys of all due memories of an owner, page by page. */
  keys(owner: string): AsyncGenerator<string[]>;
  /** Builds the write that makes a memory due. */
  put(memory: DueMemory): PutDocument;
}

export const DUE = 'facts-due';
/** A model that is away for longer than this reads no more of what was said meanwhile, milliseconds. */
const DUE_FOR_MS = 86_400_000;
const PAGE = 1_000;
/** The character after `/`, so that it follows all keys that begin with an owner and a `/`. */
const AFTER_SLASH = '0';

interface Stored {
  readonly sealed: string;
}

export function createDueMemories({ documents, secrets, pseudonym, now }: DueMemoriesPorts): DueMemories {
  const open = ({ value }: StoredDocument<Stored>): DueMemory =>
    JSON.parse(secrets.open(value.sealed, DUE)) as DueMemory;
  const first = async (after?: string): Promise<StoredDocument<Stored> | undefined> =>
    (await documents.list<Stored>(DUE, { ...(after === undefined ? {} : { after }), limit: 1 }))[0];

  return {
    async owners(limit) {
      const found: { owner: string; userId: string }[] = [];
      for (let document = await first(); document !== undefined && found.length < limit;) {
        const [owner = ''] = document.key.split('/');
        const { userId } = open(document);
        // Memories in stores that are not in use now have other pseudonyms, and stay until they lapse.
        if (pseudonym(userId) === owner) found.push({ owner, userId });
        document = await first(owner + AFTER_SLASH);
      }
      return found;
    },
    async next(owner) {
      const document = await first(`${owner}/`);
      if (!document?.key.startsWith(`${owner}/`)) return undefined;
      return { memory: open(document), version: document.version };
    },
    async *keys(owner) {
      for (let after = `${owner}/`; ;) {
        const page = await documents.list(DUE, { after, limit: PAGE });
        const own = page.map(({ key }) => key).filter((key) => key.startsWith(`${owner}/`));
        if (own.length > 0) yield own;
        after = own.at(-1) ?? after;
        if (own.length < PAGE) return;
      }
    },
    put: (memory) => ({
      type: 'put',
      collection: DUE,
      key: `${pseudonym(memory.userId)}/${memory.memoryId}`,
      value: { sealed: secrets.seal(JSON.stringify(memory), DUE) } satisfies Stored,
      expiresAt: now() + DUE_FOR_MS,
    }),
  };
}
