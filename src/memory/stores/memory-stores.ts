import type { Logger } from '../../base/logger';
import { HoldfastError, isHoldfastError, messageOf } from '../../base/errors';
import type { Memory } from '../service/create-memory';
import { type MemorySettings, placesOf } from '../service/memory-settings';
import type { PoolHandle, RefCountedPool } from '../service/ref-counted-pool';
import { settingsOf, type StoreRecord, type StoreRecords } from './record';
import type { ResolvedStores, StoreSettings } from './settings';
import { reasonOf } from './unavailable';

/** The memory system where the service is told to keep it now. */
export interface MemoryStores {
  /**
   * Runs `work` on the stores that the service has now; they stay open until it ends, also when others take their place
   * meanwhile. Keep nothing of the memory beyond it.
   * @throws HoldfastError `STORE_UNAVAILABLE` where it cannot be told which stores these are; what `work` throws
   */
  use<T>(work: (memory: Memory) => Promise<T>): Promise<T>;
}

/** As `MemoryStores`, for what is read bit by bit. */
export interface MemoryStreams {
  /** The stores stay open until the reader has done. Throws as `use`. */
  iterate<T>(work: (memory: Memory) => AsyncIterable<T>): AsyncIterable<T>;
}

/** For what has to do with other stores than the ones in use. */
export interface AllMemoryStores extends MemoryStores, MemoryStreams {
  /** Runs `work` on the stores of these settings, which need not be the ones in use. Throws as `use`. */
  useThose<T>(settings: StoreSettings, work: (memory: Memory) => Promise<T>): Promise<T>;
  /** Settings of the stores in use, and of all that may hold memories still, the environment's included. */
  everyStore(): Promise<readonly StoreSettings[]>;
}

export interface MemoryStoresPorts {
  readonly records: Pick<StoreRecords, 'read'>;
  readonly memories: RefCountedPool<MemorySettings, Memory>;
  /** What settings come to in this process. */
  readonly resolve: (settings: StoreSettings) => ResolvedStores;
  /** Refuses what the policy for outgoing connections does not allow. */
  readonly checkAddress: (stores: ResolvedStores) => Promise<void>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

interface Current {
  readonly record: StoreRecord;
  readonly stores: ResolvedStores;
  /** Keeps the stores open between two uses. */
  readonly handle: PoolHandle<Memory>;
}

export function createMemoryStores(ports: MemoryStoresPorts): AllMemoryStores {
  const { records, memories, resolve, checkAddress, logger } = ports;
  let current: Current | undefined;
  let switching: Promise<Current> | undefined;

  async function latest(): Promise<Current> {
    const { version } = await records.read();
    if (current !== undefined && version <= current.record.version) return current;
    switching ??= follow().finally(() => (switching = undefined));
    const followed = await switching;
    // One that was under way already may have begun before this version.
    return followed.record.version < version ? latest() : followed;
  }

  async function follow(): Promise<Current> {
    const record = await records.read();
    if (record.unreadable !== undefined) throw record.unreadable;
    const stores = await resolved(settingsOf(record));
    const before = current;
    const handle = memories.acquire(stores.memory);
    current = { record, stores, handle };
    if (before !== undefined && before.handle.value !== handle.value) {
      logger.info({ version: record.version }, 'memories are kept in other stores from now on');
    }
    before?.handle.release().catch((error: unknown) => {
      logger.warn({ reason: messageOf(error) }, 'stores that are not used any more could not be closed');
    });
    return current;
  }

  /** What is wrong with settings that were right once, such as a name that is not found, may be mended. */
  async function resolved(settings: StoreSettings): Promise<ResolvedStores> {
    try {
      const stores = resolve(settings);
      await checkAddress(stores);
      return stores;
    } catch (error) {
      if (!isHoldfastError(error)) throw error;
      const reason = reasonOf(error);
      throw new HoldfastError('STORE_UNAVAILABLE', `The stores of memories cannot be used: ${reason}`, {
        retryable: true,
        cause: error,
        details: { service: error.details?.['service'] ?? 'graphdb', reason },
      });
    }
  }

  async function on<T>(settings: MemorySettings, work: (memory: Memory) => Promise<T>): Promise<T> {
    const handle = memories.acquire(settings);
    try {
      return await work(handle.value);
    } finally {
      // Whoever worked does not wait for the end of stores that only its own work kept open.
      void handle.release().catch(() => undefined);
    }
  }

  return {
    async use(work) {
      return on((await latest()).stores.memory, work);
    },
    async *iterate(work) {
      const handle = memories.acquire((await latest()).stores.memory);
      try {
        yield* work(handle.value);
      } finally {
        void handle.release().catch(() => undefined);
      }
    },
    async useThose(settings, work) {
      return on((await resolved(settings)).memory, work);
    },
    async everyStore() {
      const { record } = await latest();
      const { embedding, ...inUse } = settingsOf(record);
      // One embedding model for all of them: no other one is loaded for a store that only loses memories.
      const model = embedding === undefined ? {} : { embedding };
      const settings = [inUse, ...record.former, {}].map((each) => ({ ...each, ...model }));
      return distinct(settings, resolve);
    },
  };
}

/** Each place once. What the environment does not complete any more is a place that nobody knows, and stays. */
export function distinct(
  settings: readonly StoreSettings[],
  resolve: (settings: StoreSettings) => ResolvedStores,
): StoreSettings[] {
  const placeOf = (each: StoreSettings): string => {
    try {
      return JSON.stringify(placesOf(resolve(each).memory));
    } catch {
      return JSON.stringify(each);
    }
  };
  const places = new Map<string, StoreSettings>();
  for (const each of settings) {
    const place = placeOf(each);
    if (!places.has(place)) places.set(place, each);
  }
  return [...places.values()];
}
