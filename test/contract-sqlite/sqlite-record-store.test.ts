import type { RecordStores } from '../../src/stores/records/record-stores';
import { createSqliteRecordStores } from '../../src/stores/sqlite/records';
import { describeRecordStore } from '../contract/record-store';
import { temporaryFolder } from '../contract/support/temporary-folder';

describeRecordStore('SQLite', () => {
  const folder = temporaryFolder();
  const opened: RecordStores[] = [];
  return Promise.resolve({
    open: () => {
      const stores = createSqliteRecordStores({ folder: folder.path, busyTimeoutMs: 5_000 });
      opened.push(stores);
      return stores;
    },
    dispose: async () => {
      for (const stores of opened) await stores.close();
      folder.remove();
    },
  });
});
