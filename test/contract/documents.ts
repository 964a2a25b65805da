import type { DocumentStore } from '../../src/stores/documents';
import { describeBatches } from './documents-batches';
import { describeConcurrency } from './documents-concurrency';
import { describeExpiry } from './documents-expiry';
import { describeKeysAndValues } from './documents-keys';
import { describeLists } from './documents-lists';
import { describeModel } from './documents-model';
import { describeSingleDocuments } from './documents-single';

/** How a child process gets at the data under test: `require(module)[factory](settings)`. */
export interface DocumentStoreAddress {
  readonly module: string;
  readonly factory: string;
  /** Any JSON value. */
  readonly settings: unknown;
}

/** A place for data, empty at first, that several stores share. */
export interface DocumentStoreHarness {
  readonly address: DocumentStoreAddress;
  /** Another store on the same data; the harness closes it. */
  connect(): DocumentStore;
  /** Closes all stores and takes the data away. */
  dispose(): Promise<void>;
}

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
