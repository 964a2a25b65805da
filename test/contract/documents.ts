import { describeBatches } from './documents-batches';
import { describeConcurrency } from './documents-concurrency';
import { describeExpiry } from './documents-expiry';
import { describeKeysAndValues } from './documents-keys';
import { describeLists } from './documents-lists';
import { describeModel } from './documents-model';
import { describeSingleDocuments } from './documents-single';
import type { DocumentStoreHarness } from './support/harness';

/** What every adapter of the `DocumentStore` port has to do. */
export function describeDocumentStore(name: string, open: () => Promise<DocumentStoreHarness>): void {
  describe(`${name} document store`, () => {
    let harness: DocumentStoreHarness | undefined;

    const current = (): DocumentStoreHarness => {
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

    for (const part of [
      describeSingleDocuments,
      describeBatches,
      describeLists,
      describeExpiry,
      describeKeysAndValues,
      describeConcurrency,
      describeModel,
    ]) {
      part(current);
    }
  });
}
