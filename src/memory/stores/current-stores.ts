import type { Embedders } from '../../embeddings/embedders';
import { EMBEDDER_SETTINGS, type EmbedderSettings } from '../../embeddings/embedder-settings';
import { HoldfastError, isHoldfastError, messageOf } from '../../base/errors';
import type { Logger } from '../../base/logger';
import { type MemorySettings, pick } from '../service/memory-settings';
import type { OpenStores } from '../service/open-stores';
import { effectiveSettings, type StoreRecord } from './record';
import type { ResolvedStores, StoreSettings } from './settings';
import { untilLoaded, toReason } from './connect';

export interface CurrentStoresPorts {
  /** Opens stores. @param mayWrite asked before each write @throws HoldfastError `CONFIGURATION` */
  readonly open: (settings: MemorySettings, embedders: Embedders, mayWrite: () => boolean) => OpenStores;
  readonly openEmbedders: (settings: EmbedderSettings) => Embedders;
  /** Resolves settings by the environment of this process. */
  readonly resolve: (settings: StoreSettings) => ResolvedStores;
  /** Refuses addresses that the policy for outgoing connections does not allow. */
  readonly checkAddress: (stores: ResolvedStores) => Promise<void>;
  /** Whether this process may write to the stores of the record that was opened last. */
  readonly mayWrite: () => boolean;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** The stores that this process has open. Stores with the same embedding model share it. */
export interface CurrentStores {
  /**
   * Opens the stores of the record, unless they are open. The stores before them refuse writes for ever, and are closed when reads
   * that began before have had time to end.
   * @throws HoldfastError `STORE_UNAVAILABLE` (retryable) if the stores cannot be determined
   */
  open(record: StoreRecord): Promise<OpenStores>;
  /** The stores that `open` opened last; undefined if other stores are named since. */
  now(): OpenStores | undefined;
  /**
   * Opens stores that refuse writes, unless they are in use. It closes them when `work` is done and no model is being loaded, so
   * that a download that it began serves the next use.
   * @throws HoldfastError `CONFIGURATION`; what `work` throws
   */
  tryOut<T>(settings: MemorySettings, work: (stores: OpenStores) => Promise<T>): Promise<T>;
  /** Whether no write is running. */
  isIdle(): boolean;
  close(): Promise<void>;
}

/** How long reads that began before a change may take, milliseconds. */
const READS_END_WITHIN_MS = 30_000;

export function createCurrentStores(ports: CurrentStoresPorts): CurrentStores {
  const { resolve, checkAddress, mayWrite, logger } = ports;
  let current: { record: StoreRecord; readonly key: string; readonly stores: OpenStores } | undefined;
  let latest: StoreRecord | undefined;
  const all = new Set<OpenStores>();
  const embedders = new Map<string, Embedders>();

  function openAny(settings: MemorySettings, mayWriteThere: (stores: OpenStores) => boolean): OpenStores {
    const chosen = pick(settings, EMBEDDER_SETTINGS);
    const key = JSON.stringify(chosen);
    const opened = embedders.get(key) ?? ports.openEmbedders(chosen);
    embedders.set(key, opened);
    const stores: OpenStores = ports.open(settings, opened, () => mayWriteThere(stores));
    all.add(stores);
    return stores;
  }

  /** Closes stores, and the embedders that no other stores use. */
  async function close(stores: OpenStores): Promise<void> {
    if (!all.delete(stores)) return;
    try {
      await stores.close();
      const used = new Set([...all].map((each) => each.embedders));
      for (const [key, each] of embedders) {
        if (used.has(each)) continue;
        embedders.delete(key);
        await each.close();
      }
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'stores that are no longer in use could not be closed');
    }
  }

  function retire(): void {
    if (current === undefined) return;
    const { stores } = current;
    current = undefined;
    setTimeout(() => void close(stores), READS_END_WITHIN_MS).unref();
    logger.info('other stores of memories are in use from now on');
  }

  async function open(askedRecord: StoreRecord): Promise<OpenStores> {
    if (current?.record === askedRecord) return current.stores;
    // The caller may have read the record before another one opened stores by a later record.
    const record = latest !== undefined && latest.version > askedRecord.version ? latest : askedRecord;
    latest = record;
    try {
      if (record.unreadable !== undefined) throw record.unreadable;
      const resolved = resolve(effectiveSettings(record));
      const key = JSON.stringify(resolved.memory);
      if (current?.key === key) {
        current.record = record;
        return current.stores;
      }
      retire();
      await checkAddress(resolved);
      // Another caller may have opened these or later ones meanwhile.
      if (latest.version > record.version) return await open(latest);
      current ??= {
        record,
        key,
        stores: openAny(resolved.memory, (stores) => stores === current?.stores && mayWrite()),
      };
      return current.stores;
    } catch (error) {
      // Another caller may have opened the stores of this record meanwhile.
      if (current?.record !== record) retire();
      if (!isHoldfastError(error) || error.code === 'STORE_UNAVAILABLE') throw error;
      throw cannotBeUsed(error);
    }
  }

  return {
    open,
    now: () => current?.stores,
    async tryOut(settings, work) {
      if (current?.key === JSON.stringify(settings)) return work(current.stores);
      const stores = openAny(settings, () => false);
      try {
        return await work(stores);
      } finally {
        void untilLoaded(stores.embedders).then(() => close(stores));
      }
    },
    isIdle: () => [...all].every((stores) => stores.isIdle()),
    async close() {
      await Promise.all([...all].map((stores) => stores.close()));
      await Promise.all([...embedders.values()].map((each) => each.close()));
      all.clear();
    },
  };
}

/** Errors are retryable, because the settings were valid once: a host name that is not found now may be found again. */
function cannotBeUsed(error: HoldfastError): HoldfastError {
  const reason = toReason(error);
  return new HoldfastError('STORE_UNAVAILABLE', `The stores of memories cannot be used: ${reason}`, {
    retryable: true,
    cause: error,
    details: { service: error.details?.['service'] ?? 'graphdb', reason },
  });
}
