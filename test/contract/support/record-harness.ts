import type { RecordStore } from '../../../src/stores/records/record-store';

/** A place for records, empty at first, that several stores share as several processes do. */
export interface RecordStoreHarness {
  /** Another store on the same data; the harness closes it. */
  connect(): RecordStore;
  /** Closes all stores and removes the data. */
  dispose(): Promise<void>;
}
