import { describeRecordChanges } from './record-store-changes';
import { describeRecordLists } from './record-store-lists';
import { describeRecordTraces } from './record-store-traces';
import { describePort } from './support/describe-port';
import type { RecordStoreHarness } from './support/record-harness';

/** What every adapter of the `RecordStore` port has to do. */
export function describeRecordStore(name: string, open: () => Promise<RecordStoreHarness>): void {
  describePort(`${name} record store`, open, [
    describeRecordChanges,
    describeRecordLists,
    describeRecordTraces,
  ]);
}
