import type { RecordStore } from '../../src/stores/records/record-store';
import { createSqliteRecordStore } from '../../src/stores/sqlite/records';
import { describeRecordStore } from './record-store';
import { temporaryFolder } from './support/temporary-folder';

describeRecordStore('SQLite', () => {
  const folder = temporaryFolder();
  const stores: RecordStore[] = [];
  return Promise.resolve({
    connect: () => {
      const store = createSqliteRecordStore({ path: folder.file('records.db'), busyTimeoutMs: 5_000 });
      stores.push(store);
      return store;
    },
    dispose: async () => {
      for (const store of stores) await store.close();
      folder.remove();
    },
  });
});
