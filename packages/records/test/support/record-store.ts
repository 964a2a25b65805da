import { DEFAULT_TENANT } from '../../../../src/contracts/tenants';
import type { RecordStore } from '../../stores/record-store';
import { createSqliteRecordStores } from '../../stores/sqlite';
import { makeTempDir } from '../../../../test/support/temp-dir';

export interface OpenRecordStore {
  readonly store: RecordStore;
  close(): Promise<void>;
}

/** Opens an empty store of records of the default tenant, in SQLite in a folder of its own. */
export function openRecordStore(): OpenRecordStore {
  const dir = makeTempDir();
  const stores = createSqliteRecordStores({ folder: dir.path, busyTimeoutMs: 5_000 });
  return {
    store: stores.of(DEFAULT_TENANT),
    async close() {
      await stores.close();
      dir.remove();
    },
  };
}
