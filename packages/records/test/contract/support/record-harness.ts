import type { RecordStore } from '../../../stores/record-store';
import type { RecordStores } from '../../../stores/record-stores';

/** A place for records, empty at first, that several stores share as several processes do. */
export interface RecordPlace {
  /** Other stores on the same data; the place closes them. */
  open(): RecordStores;
  /** Closes all stores and removes the data. */
  dispose(): Promise<void>;
}

export interface RecordStoreHarness extends RecordPlace {
  /** Another store on the records of one tenant. */
  connect(): RecordStore;
}
