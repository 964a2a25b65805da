import { DEFAULT_TENANT } from '../../../../src/contracts/tenants';
import { describeRecordChanges } from './record-store-changes';
import { describeRecordLists } from './record-store-lists';
import { describeRecordTenants } from './record-store-tenants';
import { describeRecordTraces } from './record-store-traces';
import { describePort } from '../../../../test/contract/support/describe-port';
import type { RecordPlace, RecordStoreHarness } from './support/record-harness';

/** What every adapter of the `RecordStores` port has to do. */
export function describeRecordStore(name: string, open: () => Promise<RecordPlace>): void {
  const openAs = (tenant: string) => async (): Promise<RecordStoreHarness> => {
    const place = await open();
    return { ...place, connect: () => place.open().of(tenant) };
  };
  describePort(`${name} record store`, openAs(DEFAULT_TENANT), [
    describeRecordChanges,
    describeRecordLists,
    describeRecordTraces,
    describeRecordTenants,
  ]);
  // Traces read what the part about tenants reads, so they are not drawn again.
  describePort(`${name} record store of another tenant`, openAs('acme'), [
    describeRecordChanges,
    (harness) => describeRecordLists(harness, { numRuns: 5 }),
  ]);
}
