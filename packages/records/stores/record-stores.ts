import type { RecordStore } from './record-store';
import type { Metrics } from '../../../src/base/metrics';
import { countedFailures } from '../../../src/stores/counted-failures';

/** The records of all tenants. Tenants share nothing: each has ids, references and movements that no other tenant can reach. */
export interface RecordStores {
  /**
   * Returns the store of a tenant, which need not exist yet. It opens nothing, and `close` closes it with the others.
   * @throws HoldfastError `INTERNAL` if the tenant's name is malformed
   */
  of(tenant: string): RecordStore;

  /**
   * Checks that the stores can be used, by that of the default tenant.
   * @throws HoldfastError `STORE_UNAVAILABLE`; `CONFIGURATION` if a newer holdfast wrote it or it refuses a setting
   */
  ping(): Promise<void>;

  /** Afterwards every operation of every tenant throws `STORE_UNAVAILABLE`. May be called twice. */
  close(): Promise<void>;
}

/** Wraps stores of records so that each operation of any tenant that fails with `STORE_UNAVAILABLE` is counted. */
export function countedRecordStores(stores: RecordStores, metrics: Metrics): RecordStores {
  const counted = countedFailures(stores, 'records', metrics);
  return {
    of: (tenant) => countedFailures(stores.of(tenant), 'records', metrics),
    ping: () => counted.ping(),
    close: () => counted.close(),
  };
}
