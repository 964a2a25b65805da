import type { DocumentStore } from '../../../src/stores/documents';

/** How a child process opens the data under test: `require(module)[factory](settings)`. */
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
  /** Closes all stores and removes the data. */
  dispose(): Promise<void>;
}
