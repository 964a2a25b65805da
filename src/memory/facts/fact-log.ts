import { setImmediate as nextIteration } from 'node:timers/promises';
import type { FactSource, RecordedFact } from '../../contracts/facts';
import type { SecretBox } from '../../secrets/secret-box';
import { CONFLICT, untilNoConflict } from '../../stores/compare-and-set';
import type { DocumentWrite, PutDocument, TenantDocuments } from '../../stores/documents';
import { pagesUnder } from '../../stores/list-under';
import { memoryErasing } from '../../stores/memory/errors';
import { createKeptSources, type KeptSources } from './kept-sources';
import { createDueMemories, DUE, type DueMemories, type DueMemory, type StoredDue } from './due-memories';

export interface FactLogPorts {
  readonly documents: Pick<TenantDocuments, 'get' | 'list' | 'write'>;
  /** Seals what was said, because the bytes of a deleted document stay in a file for a while. */
  readonly secrets: SecretBox;
  /** Builds the pseudonym that stands for a user in keys. */
  readonly pseudonym: (userId: string) => string;
  /** Builds those of earlier builds, under which there may be corrections whose memories are gone. Default: none. */
  readonly former?: (userId: string) => readonly string[];
  /** What was opened of entries, for all tenants. Default: one for this log. */
  readonly kept?: KeptSources;
  /** Epoch milliseconds. Default: the clock. */
  readonly now?: () => number;
}

/** What a model drew, by all that is known of the user at that moment. */
export type ChooseSaid = (sources: readonly FactSource[]) => readonly RecordedFact[];

/** Makes what a memory says from what it said before; undefined if it says nothing. */
export type ChangeSource = (before: FactSource | undefined) => FactSource | undefined;

/**
 * What memories say, one entry for each memory. Facts are worked out from it when they are read, so no change of a fact is lost
 * when two memories are stored at once. All methods throw `STORE_UNAVAILABLE` (retryable).
 */
export interface FactLog {
  /**
   * Stores what a memory says, in the place of what it said before.
   * @param due present if a model has to read the memory too
   * @throws HoldfastError `MEMORY_ERASING`
   */
  record(userId: string, source: FactSource, due?: DueMemory): Promise<void>;
  /**
   * Stores what `change` makes of what a memory says, without losing what others store at the same time.
   * @param change may be called again when others write at once; undefined changes nothing
   * @throws HoldfastError `MEMORY_ERASING`
   */
  change(userId: string, memoryId: string, change: ChangeSource): Promise<void>;
  /** Returns what one memory says. */
  find(userId: string, memoryId: string): Promise<FactSource | undefined>;
  /** Notes that a model has to read memories. @throws HoldfastError `MEMORY_ERASING` */
  noteDue(userId: string, memories: readonly DueMemory[]): Promise<void>;
  /** The memories that a model has still to read. */
  readonly due: Pick<DueMemories, 'owners' | 'next' | 'ids'>;
  /**
   * Adds what a model drew from a due memory to what the memory says, and ends that it is due. Nothing is added if the memory was
   * changed, deleted or erased since it was read.
   * @param choose may be called again when others write at once
   * @returns what was added
   */
  settle(due: StoredDue, choose: ChooseSaid): Promise<readonly RecordedFact[]>;
  /**
   * Lists what all memories of a user say, in the order of their ids.
   * @returns the same array as before if nothing has changed, which several callers share
   */
  read(userId: string): Promise<readonly FactSource[]>;
  /** Removes what a memory says. */
  forget(userId: string, memoryId: string): Promise<void>;
  /** From now on `record` is refused for this user. May be called again. */
  beginErasure(userId: string): Promise<void>;
  /** Removes all entries of a user, and permits `record` again. May be called again. */
  endErasure(userId: string): Promise<void>;
}

export const FACTS = 'facts';
/** Has a document for each user who is being erased. */
const ERASING = 'facts-erasing';

/** Notes of due memories that are written in one transaction. */
const DUE_AT_ONCE = 100;

interface StoredSource {
  readonly sealed: string;
}

export function createFactLog(ports: FactLogPorts): FactLog {
  const {
    documents,
    secrets,
    pseudonym,
    former = () => [],
    kept = createKeptSources(),
    now = Date.now,
  } = ports;
  const due = createDueMemories({ documents, secrets, pseudonym, now });
  const keyOf = (userId: string, memoryId: string): string => `${pseudonym(userId)}/${memoryId}`;

  const put = (userId: string, source: FactSource): PutDocument => ({
    type: 'put',
    collection: FACTS,
    key: keyOf(userId, source.memoryId),
    value: { sealed: secrets.seal(JSON.stringify(source), FACTS) } satisfies StoredSource,
  });
  /** A memory that says nothing has no entry, except while it is archived: its copy may have facts that were drawn from it before. */
  const store = (userId: string, source: FactSource): DocumentWrite =>
    source.said.length > 0 || source.archived !== undefined
      ? put(userId, source)
      : { type: 'delete', collection: FACTS, key: keyOf(userId, source.memoryId) };
  /** This delete changes nothing: it refuses the write if there is a document of an erasure. */
  const unlessErasing = (userId: string): DocumentWrite => ({
    type: 'delete',
    collection: ERASING,
    key: pseudonym(userId),
    ifVersion: 0,
  });

  const open = ({ sealed }: StoredSource): FactSource =>
    JSON.parse(secrets.open(sealed, FACTS)) as FactSource;

  async function read(userId: string): Promise<readonly FactSource[]> {
    const owner = pseudonym(userId);
    const reading = kept.read(owner, (sealed) => open({ sealed }));
    let isFirst = true;
    for await (const page of pagesUnder<StoredSource>(documents, FACTS, `${owner}/`)) {
      // Other requests are served between two pages, even if the store answers at once.
      if (!isFirst) await nextIteration();
      isFirst = false;
      for (const { value } of page) reading.open(value.sealed);
    }
    return reading.end();
  }

  return {
    due,
    async find(userId, memoryId) {
      const stored = await documents.get<StoredSource>(FACTS, keyOf(userId, memoryId));
      return stored && open(stored.value);
    },
    async record(userId, source, memory) {
      const written = await documents.write([
        store(userId, source),
        ...(memory === undefined ? [] : [due.put(memory)]),
        unlessErasing(userId),
      ]);
      if (!written) throw memoryErasing();
    },
    async noteDue(userId, memories) {
      for (let start = 0; start < memories.length; start += DUE_AT_ONCE) {
        const some = memories.slice(start, start + DUE_AT_ONCE);
        const written = await documents.write([
          ...some.map((memory) => due.put(memory)),
          unlessErasing(userId),
        ]);
        if (!written) throw memoryErasing();
      }
    },
    change: (userId, memoryId, change) =>
      untilNoConflict('what a memory says', async () => {
        const entry = await documents.get<StoredSource>(FACTS, keyOf(userId, memoryId));
        const source = change(entry && open(entry.value));
        if (source === undefined) return;
        const ifVersion = entry?.version ?? 0;
        const written = await documents.write([
          { ...store(userId, source), ifVersion },
          unlessErasing(userId),
        ]);
        if (written) return;
        if ((await documents.get(ERASING, pseudonym(userId))) !== undefined) throw memoryErasing();
        return CONFLICT;
      }),
    settle: (dueMemory, choose) =>
      untilNoConflict('what a memory says', async () => {
        const { memory, version } = dueMemory;
        const { userId, sessionId: _sessionId, ...ownFields } = memory;
        const { memoryId } = ownFields;
        const key = keyOf(userId, memoryId);
        // The version is read before what is known, so that a write that follows the reading is noticed.
        const entry = await documents.get(FACTS, key);
        if (!(await due.isSame(dueMemory))) return [];
        const sources = await read(userId);
        const before = sources.find((source) => source.memoryId === memoryId);
        const added = choose(sources);
        const source = before ?? { ...ownFields, said: [] };
        const allSaid = [...source.said, ...added];
        const written = await documents.write([
          ...(added.length === 0
            ? []
            : [{ ...put(userId, { ...source, said: allSaid }), ifVersion: entry?.version ?? 0 }]),
          { type: 'delete', collection: DUE, key, ifVersion: version },
          unlessErasing(userId),
        ]);
        return written ? added : CONFLICT;
      }),
    read,
    async forget(userId, memoryId) {
      const key = keyOf(userId, memoryId);
      await documents.write([FACTS, DUE].map((collection) => ({ type: 'delete', collection, key })));
    },
    async beginErasure(userId) {
      await documents.write([{ type: 'put', collection: ERASING, key: pseudonym(userId), value: true }]);
      // Nothing that is being erased is sent to a model.
      for await (const keys of due.keys(pseudonym(userId)))
        await documents.write(keys.map((key) => ({ type: 'delete', collection: DUE, key })));
    },
    async endErasure(userId) {
      kept.forget(pseudonym(userId));
      for (const owner of [pseudonym(userId), ...former(userId)])
        for await (const page of pagesUnder(documents, FACTS, `${owner}/`))
          await documents.write(page.map(({ key }) => ({ type: 'delete', collection: FACTS, key })));
      await documents.write([{ type: 'delete', collection: ERASING, key: pseudonym(userId) }]);
    },
  };
}
