import { describeRecordChanges } from './record-store-changes';
import { describeRecordLists } from './record-store-lists';
import { describeRecordTraces } from './record-store-traces';
import type { RecordStoreHarness } from './support/record-harness';

/** What every adapter of the `RecordStore` port has to do. */
export function describeRecordStore(name: string, open: () => Promise<RecordStoreHarness>): void {
  describe(`${name} record store`, () => {
    let harness: RecordStoreHarness | undefined;

    const current = (): RecordStoreHarness => {
      if (harness === undefined) throw new Error('No store is open');
      return harness;
    };

    beforeEach(async () => {
      harness = await open();
    });

    afterEach(async () => {
      await harness?.dispose();
      harness = undefined;
    });

    for (const part of [describeRecordChanges, describeRecordLists, describeRecordTraces]) part(current);
  });
}
