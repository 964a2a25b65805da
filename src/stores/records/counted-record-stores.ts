import type { Metrics } from '../../base/metrics';
import { countedFailures } from '../counted-failures';
import type { RecordStores } from './record-stores';

/** Wraps stores of records so that each operation of any tenant that fails with `STORE_UNAVAILABLE` is counted. */
export function countedRecordStores(stores: RecordStores, metrics: Metrics): RecordStores {
  const counted = countedFailures(stores, 'records', metrics);
  return {
    of: (tenant) => countedFailures(stores.of(tenant), 'records', metrics),
    ping: () => counted.ping(),
    close: () => counted.close(),
  };
}
