import type { DocumentStore } from '../../stores/documents';

/** What a process says of itself to the others. */
export interface ProcessState {
  /** The version of the record whose stores it writes to. */
  readonly version: number;
  /** The change of stores for which its writes have ended. */
  readonly acknowledged?: string;
}

/** The processes that may write memories. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface LivingProcesses {
  /** The id of this process. */
  id(): string;
  /** Gives this process another id. One that others may have taken for dead needs it, as they delete what is under its former id. */
  rename(): void;
  /** Says that this process lives. */
  beat(state: ProcessState): Promise<void>;
  /** Lists the processes that live, by id, and forgets the others. A process is dead if it said nothing for `DEAD_AFTER_MS`. */
  list(): Promise<ReadonlyMap<string, ProcessState>>;
  /** This process ends. */
  leave(): Promise<void>;
}

export interface LivingProcessesPorts {
  readonly documents: Pick<DocumentStore, 'list' | 'write'>;
  readonly newId: () => string;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
}

interface StoredProcess extends ProcessState {
  /** Increases with every word of the process, so that no two of them are equal. */
  readonly beat: number;
}

/**
 * A process counts as dead after this time without a word. Each process measures it on its own clock, from the moment at which it
 * read the last word, so that clocks of machines need not agree.
 */
export const DEAD_AFTER_MS = 30_000;
const COLLECTION = 'memory-processes';

export function createLivingProcesses({ documents, newId, now }: LivingProcessesPorts): LivingProcesses {
  let id = newId();
  let beat = 0;
  let heard = new Map<string, { readonly beat: number; readonly at: number }>();

  return {
    id: () => id,
    rename: () => void (id = newId()),
    async beat(state) {
      beat += 1;
      const value: StoredProcess = { ...state, beat };
      // A power cut ends the process too.
      const word = { type: 'put', collection: COLLECTION, key: id, value } as const;
      await documents.write([word], { durability: 'process' });
    },
    async list() {
      const at = now();
      const stored = await documents.list<StoredProcess>(COLLECTION);
      const latest = new Map(
        stored.map(({ key, value }) => {
          const before = heard.get(key);
          return [key, before?.beat === value.beat ? before : { beat: value.beat, at }];
        }),
      );
      heard = latest;
      const isAlive = (key: string): boolean =>
        key === id || at - (latest.get(key)?.at ?? at) < DEAD_AFTER_MS;
      for (const { key, version } of stored)
        if (!isAlive(key))
          await documents.write([{ type: 'delete', collection: COLLECTION, key, ifVersion: version }]);
      return new Map(stored.filter(({ key }) => isAlive(key)).map(({ key, value }) => [key, value]));
    },
    async leave() {
      await documents.write([{ type: 'delete', collection: COLLECTION, key: id }]);
    },
  };
}
