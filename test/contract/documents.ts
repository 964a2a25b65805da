import { describeBatches } from './documents-batches';
import { describeConcurrency } from './documents-concurrency';
import { describeExpiry } from './documents-expiry';
import { describeKeysAndValues } from './documents-keys';
import { describeLists } from './documents-lists';
import { describeModel } from './documents-model';
import { describeSingleDocuments } from './documents-single';
import { describePort } from './support/describe-port';
import type { DocumentStoreHarness } from './support/harness';

/** What every adapter of the `DocumentStore` port has to do. */
export function describeDocumentStore(name: string, open: () => Promise<DocumentStoreHarness>): void {
  describePort(`${name} document store`, open, [
    describeSingleDocuments,
    describeBatches,
    describeLists,
    describeExpiry,
    describeKeysAndValues,
    describeConcurrency,
    describeModel,
  ]);
}
