import type { Logger } from '../../base/logger';
import { HoldfastError, isHoldfastError, messageOf } from '../../base/errors';
import type { Memory, TenantMemory } from '../service/create-memory';
import { type MemorySettings, placesOf } from '../service/memory-settings';
import type { PoolHandle, RefCountedPool } from '../service/ref-counted-pool';
import { effectiveSettings, type StoreRecord, type StoreRecords } from './record';
import type { ResolvedStores, StoreSettings } from './settings';
import { toReason } from './unavailable';

/** The memories of a tenant, or of all tenants, on the stores that are in use now. */
export interface MemoryStores<M = TenantMemory> {
  /**
   * Runs `work` on the stores in use. They stay open until it ends, even if other stores replace them meanwhile.
   * `work` must keep no reference to the memory beyond its end.
   * @throws HoldfastError `STORE_UNAVAILABLE` if the stores in use cannot be determined; what `work` throws
   */
  use<T>(work: (memory: M) => Promise<T>): Promise<T>;
}

/** As `MemoryStores`, for results that are read as a stream. */
export interface MemoryStreams<M = TenantMemory> {
  /** The stores stay open until the reader is done. Throws as `use`. */
  iterate<T>(work: (memory: M) => AsyncIterable<T>): AsyncIterable<T>;
}

/** Access to other stores than those in use. */
export interface AllMemoryStores<M = TenantMemory> extends MemoryStores<M>, MemoryStreams<M> {
  /** Runs `work` on the stores of these settings, which need not be those in use. Throws as `use`. */
  useStores<T>(settings: StoreSettings, work: (memory: M) => Promise<T>): Promise<T>;
  /**
   * The settings of the stores in use, and of all that may still contain memories, those of the environment included.
   */
  listStores(): Promise<readonly StoreSettings[]>;
}

export interface MemoryStoresPorts {
  readonly records: Pick<StoreRecords, 'read'>;
  readonly memories: RefCountedPool<MemorySettings, Memory>;
  /** Resolves settings by the environment of this process. */
  readonly resolve: (settings: StoreSettings) => ResolvedStores;
  /** Refuses addresses that the policy for outgoing connections does not allow. */
  readonly checkAddress: (stores: ResolvedStores) => Promise<void>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

interface Current {
  readonly record: StoreRecord;
  readonly stores: ResolvedStores;
  /** Keeps the stores open between two uses. */
  readonly handle: PoolHandle<Memory>;
}

export function createMemoryStores(ports: MemoryStoresPorts): AllMemoryStores<Memory> {
  const { records, memories, resolve, checkAddress, logger } = ports;
  let current: Current | undefined;
  let switching: Promise<Current> | undefined;

  async function openLatest(): Promise<Current> {
    const { version } = await records.read();
    if (current !== undefined && version <= current.record.version) return current;
    switching ??= switchStores().finally(() => (switching = undefined));
    const switched = await switching;
    // A switch that was already under way may have read an earlier version.
    return switched.record.version < version ? openLatest() : switched;
  }

  async function switchStores(): Promise<Current> {
    const record = await records.read();
    if (record.unreadable !== undefined) throw record.unreadable;
    const stores = await resolveChecked(effectiveSettings(record));
    const before = current;
    const handle = memories.acquire(stores.memory);
    current = { record, stores, handle };
    if (before !== undefined && before.handle.value !== handle.value) {
      logger.info({ version: record.version }, 'memories are in other stores from now on');
    }
    before?.handle.release().catch((error: unknown) => {
      logger.warn({ reason: messageOf(error) }, 'stores that are no longer in use could not be closed');
    });
    return current;
  }

  /**
   * Errors are retryable, because the settings were valid once: a host name that is not found now may be found again.
   */
  async function resolveChecked(settings: StoreSettings): Promise<ResolvedStores> {
    try {
      const stores = resolve(settings);
      await checkAddress(stores);
      return stores;
    } catch (error) {
      if (!isHoldfastError(error)) throw error;
      const reason = toReason(error);
      throw new HoldfastError('STORE_UNAVAILABLE', `The stores of memories cannot be used: ${reason}`, {
        retryable: true,
        cause: error,
        details: { service: error.details?.['service'] ?? 'graphdb', reason },
      });
    }
  }

  async function useMemory<T>(settings: MemorySettings, work: (memory: Memory) => Promise<T>): Promise<T> {
    const handle = memories.acquire(settings);
    try {
      return await work(handle.value);
    } finally {
      // The caller does not wait for the closing of stores that only its work kept open.
      void handle.release().catch(() => undefined);
    }
  }

  return {
    async use(work) {
      return useMemory((await openLatest()).stores.memory, work);
    },
    async *iterate(work) {
      const handle = memories.acquire((await openLatest()).stores.memory);
      try {
        yield* work(handle.value);
      } finally {
        void handle.release().catch(() => undefined);
      }
    },
    async useStores(settings, work) {
      return useMemory((await resolveChecked(settings)).memory, work);
    },
    async listStores() {
      const { record } = await openLatest();
      const { embedding, ...inUse } = effectiveSettings(record);
      // All stores get the embedding model in use, so that no other model is loaded for a store that only loses
      // memories.
      const model = embedding === undefined ? {} : { embedding };
      const settings = [inUse, ...record.previous, {}].map((each) => ({ ...each, ...model }));
      return distinctStores(settings, resolve);
    },
  };
}

/** Returns each place once. Settings that the environment no longer completes count as a separate place. */
export function distinctStores(
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

/** Limits stores to the memories of a tenant. */
export function storesOfTenant(stores: AllMemoryStores<Memory>, tenant: string): AllMemoryStores {
  return {
    use: (work) => stores.use((memory) => work(memory.of(tenant))),
    iterate: (work) => stores.iterate((memory) => work(memory.of(tenant))),
    useStores: (settings, work) => stores.useStores(settings, (memory) => work(memory.of(tenant))),
    listStores: () => stores.listStores(),
  };
}
