import type { RecordStores } from '../../stores/record-stores';
import { createSqliteRecordStores } from '../../stores/sqlite';
import { describeRecordStore } from '../contract/record-store';
import { temporaryFolder } from '../../../../test/contract/support/temporary-folder';

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
