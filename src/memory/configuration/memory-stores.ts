import type { Logger } from '../../logger';
import { messageOf } from '../../errors';
import type { Memory, MemorySettings } from '../create-memory';
import type { Lease, Leases } from './leases';
import { settingsOf, type StoreRecord, type StoreRecords } from './record';
import { placesOf, type ResolvedStores, type StoreSettings } from './settings';

/** The memory system where the service is told to keep it now. */
export interface MemoryStores {
  /**
   * Runs `work` on the stores that the service has now; they stay open until it ends, also when others take their place
   * meanwhile. Keep nothing of the memory beyond it.
   * @throws HoldfastError `STORE_UNAVAILABLE` where it cannot be told which stores these are; what `work` throws
   */
  use<T>(work: (memory: Memory) => Promise<T>): Promise<T>;
}

/** For what has to do with other stores than the ones in use. */
export interface AllMemoryStores extends MemoryStores {
  /** Runs `work` on the stores of these settings, which need not be the ones in use. Throws as `use`. */
  useThose<T>(settings: StoreSettings, work: (memory: Memory) => Promise<T>): Promise<T>;
  /** Settings of the stores in use, and of all that may hold memories still, the environment's included. */
  everyStore(): Promise<readonly StoreSettings[]>;
  /** Looks at once whether others are to be used. */
  refresh(): Promise<void>;
}

export interface MemoryStoresPorts {
  readonly records: Pick<StoreRecords, 'read'>;
  readonly memories: Leases<MemorySettings, Memory>;
  /** What settings come to in this process. */
  readonly resolve: (settings: StoreSettings) => ResolvedStores;
  /** Refuses what the policy for outgoing connections does not allow. */
  readonly checkAddress: (stores: ResolvedStores) => Promise<void>;
  /** How long the record is good for once it was read, milliseconds. */
  readonly knownForMs: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

interface Current {
  readonly record: StoreRecord;
  readonly stores: ResolvedStores;
  /** Keeps the stores open between two uses. */
  readonly lease: Lease<Memory>;
}

export function createMemoryStores(ports: MemoryStoresPorts): AllMemoryStores {
  const { records, memories, resolve, checkAddress, knownForMs, logger } = ports;
  let current: Current | undefined;
  let knownUntil = 0;
  let looking: Promise<Current> | undefined;

  async function look(): Promise<Current> {
    const record = await records.read(current?.record);
    const until = performance.now() + knownForMs;
    // Also a read that was overtaken by a later one.
    if (current !== undefined && record.version <= current.record.version) {
      knownUntil = until;
      return current;
    }
    const stores = resolve(settingsOf(record));
    const before = current;
    await checkAddress(stores);
    const lease = memories.lease(stores.memory);
    current = { record, stores, lease };
    knownUntil = until;
    if (before !== undefined && before.lease.value !== lease.value) {
      logger.info({ version: record.version }, 'memories are kept in other stores from now on');
    }
    before?.lease.release().catch((error: unknown) => {
      logger.warn({ reason: messageOf(error) }, 'stores that are not used any more could not be closed');
    });
    return current;
  }

  async function latest(): Promise<Current> {
    if (current !== undefined && performance.now() < knownUntil) return current;
    looking ??= look().finally(() => (looking = undefined));
    return looking;
  }

  async function on<T>(settings: MemorySettings, work: (memory: Memory) => Promise<T>): Promise<T> {
    const lease = memories.lease(settings);
    try {
      return await work(lease.value);
    } finally {
      // Whoever worked does not wait for the end of stores that only its own work kept open.
      void lease.release().catch(() => undefined);
    }
  }

  return {
    async use(work) {
      return on((await latest()).stores.memory, work);
    },
    async useThose(settings, work) {
      const stores = resolve(settings);
      await checkAddress(stores);
      return on(stores.memory, work);
    },
    async everyStore() {
      const { record } = await latest();
      const { embedding, ...inUse } = settingsOf(record);
      // One embedding model for all of them: no other one is loaded for a store that only loses memories.
      const model = embedding === undefined ? {} : { embedding };
      const settings = [inUse, ...record.former, {}].map((each) => ({ ...each, ...model }));
      return distinct(settings, resolve);
    },
    async refresh() {
      await looking?.catch(() => undefined);
      knownUntil = 0;
      await latest();
    },
  };
}

/** Each place once. What the environment does not complete any more cannot be reached. */
export function distinct(
  settings: readonly StoreSettings[],
  resolve: (settings: StoreSettings) => ResolvedStores,
): StoreSettings[] {
  const seen = new Set<string>();
  return settings.filter((each) => {
    try {
      const place = JSON.stringify(placesOf(resolve(each)));
      if (seen.has(place)) return false;
      seen.add(place);
      return true;
    } catch {
      return false;
    }
  });
}
