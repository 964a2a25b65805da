import { join } from 'node:path';
import { createDocumentStore } from '../../src/stores/create-document-store';
import type { DocumentStore } from '../../src/stores/documents';
import { describeDocumentStore } from './documents';
import { temporaryFolder } from './support/temporary-folder';

describeDocumentStore('SQLite', () => {
  const folder = temporaryFolder();
  const settings = { path: folder.file('data.db'), busyTimeoutMs: 5_000 };
  const stores: DocumentStore[] = [];
  return Promise.resolve({
    address: {
      module: join(__dirname, '../../src/stores/create-document-store.ts'),
      factory: 'createDocumentStore',
      settings,
    },
    connect: () => {
      const store = createDocumentStore(settings);
      stores.push(store);
      return store;
    },
    dispose: async () => {
      for (const store of stores) await store.close();
      folder.remove();
    },
  });
});
