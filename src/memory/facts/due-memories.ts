import { newId } from '../../base/ids';
import type { FactSource } from '../../contracts/facts';
import type { SecretBox } from '../../secrets/secret-box';
import type { PutDocument, StoredDocument, TenantDocuments } from '../../stores/documents';
import { listUnder, pagesUnder } from '../../stores/list-under';

export interface DueMemoriesPorts {
  readonly documents: Pick<TenantDocuments, 'get' | 'list'>;
  /** Seals the ids, because the bytes of a deleted document stay in a file for a while. */
  readonly secrets: SecretBox;
  /** Builds the pseudonym that stands for a user in keys. */
  readonly pseudonym: (userId: string) => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A memory whose facts a model has still to draw. */
export interface DueMemory extends Pick<FactSource, 'memoryId' | 'at' | 'storedAt' | 'runId' | 'textDigest'> {
  readonly userId: string;
  readonly sessionId: string;
}

/** A due memory as it was read. */
export interface StoredDue {
  readonly memory: DueMemory;
  /** Rises when the memory is changed before a model has read it, and begins again if it was due no more in between. */
  readonly version: number;
  /** Another one each time that the memory is made due; absent in notes of older builds. */
  readonly noteId?: string | undefined;
}

/** Users with due memories. */
export interface DueOwners {
  /** `owner` is the pseudonym that `next` takes. */
  readonly users: readonly { readonly owner: string; readonly userId: string }[];
  /** Where the list continues; absent after the last user. */
  readonly next?: string;
}

/** The memories that a model has still to read. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface DueMemories {
  /** Lists up to `limit` users with due memories. @param after the `next` of another list; default: from the beginning */
  owners(limit: number, after?: string): Promise<DueOwners>;
  /** Reads the due memory of an owner that was made first; undefined if none is due. */
  next(owner: string): Promise<StoredDue | undefined>;
  /** Reads the ids of all due memories of a user. */
  ids(userId: string): Promise<Set<string>>;
  /** Lists the keys of all due memories of an owner, page by page. */
  keys(owner: string): AsyncGenerator<string[]>;
  /** Whether a memory is due as it was when it was read, and not once more. */
  isSame(due: StoredDue): Promise<boolean>;
  /** Builds the write that makes a memory due. */
  put(memory: DueMemory): PutDocument;
}

export const DUE = 'facts-due';
/** What waits for a worker or a store for longer than this is not read, milliseconds. */
const DUE_FOR_MS = 86_400_000;
/** Maximum number of owners that one list looks at: those that no user in use has count too. */
const MAX_LOOKED = 100;
/** The character after `/`, so that it follows all keys that begin with an owner and a `/`. */
const AFTER_SLASH = '0';

interface Stored {
  readonly sealed: string;
  readonly noteId?: string;
}

export function createDueMemories({ documents, secrets, pseudonym, now }: DueMemoriesPorts): DueMemories {
  const keyOf = ({ userId, memoryId }: DueMemory): string => `${pseudonym(userId)}/${memoryId}`;
  /** @returns undefined if it was sealed with a former key; such a note stays until it lapses */
  const open = ({ value }: StoredDocument<Stored>): DueMemory | undefined => {
    try {
      return JSON.parse(secrets.open(value.sealed, DUE)) as DueMemory;
    } catch {
      return undefined;
    }
  };
  const first = async (after?: string): Promise<StoredDocument<Stored> | undefined> =>
    (await documents.list<Stored>(DUE, { after, limit: 1 }))[0];

  async function* keys(owner: string): AsyncGenerator<string[]> {
    for await (const page of pagesUnder(documents, DUE, `${owner}/`)) yield page.map(({ key }) => key);
  }

  return {
    keys,
    async ids(userId) {
      const owner = pseudonym(userId);
      const ids = new Set<string>();
      for await (const page of keys(owner)) for (const key of page) ids.add(key.slice(owner.length + 1));
      return ids;
    },
    async owners(limit, after) {
      const users: { owner: string; userId: string }[] = [];
      let next = after;
      for (let looked = 0; looked < MAX_LOOKED && users.length < limit; looked += 1) {
        const document = await first(next);
        if (document === undefined) return { users };
        const [owner = ''] = document.key.split('/');
        const memory = open(document);
        // Memories in stores that are not in use now have other pseudonyms, and stay until they lapse.
        if (memory !== undefined && pseudonym(memory.userId) === owner)
          users.push({ owner, userId: memory.userId });
        next = owner + AFTER_SLASH;
      }
      return { users, next };
    },
    async next(owner) {
      const [document] = await listUnder<Stored>(documents, DUE, `${owner}/`, { limit: 1 });
      const memory = document && open(document);
      return memory && { memory, version: document.version, noteId: document.value.noteId };
    },
    async isSame({ memory, version, noteId }) {
      const stored = await documents.get<Stored>(DUE, keyOf(memory));
      return stored?.version === version && stored.value.noteId === noteId;
    },
    put: (memory) => ({
      type: 'put',
      collection: DUE,
      key: keyOf(memory),
      value: { sealed: secrets.seal(JSON.stringify(memory), DUE), noteId: newId() } satisfies Stored,
      expiresAt: now() + DUE_FOR_MS,
    }),
  };
}
