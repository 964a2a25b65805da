import { join } from 'node:path';
import { createDocumentStore, type DocumentStoreSettings } from '../../../src/factories/create-stores';
import type { DocumentStore } from '../../../src/stores/documents';
import { removeData } from '../../support/neo4j';
import type { Neo4jAddress } from '../../support/neo4j-server';
import type { DocumentStoreHarness } from './harness';
import { temporaryFolder } from './temporary-folder';

/** Stores on a new SQLite file. */
export function openSqliteDocuments(): DocumentStoreHarness {
  const folder = temporaryFolder();
  return openDocuments({ path: folder.file('data.db'), busyTimeoutMs: 10_000 }, () => folder.remove());
}

/** Stores on an empty Neo4j server. */
export function openNeo4jDocuments(address: Neo4jAddress): DocumentStoreHarness {
  return openDocuments({ neo4j: address }, () => removeData(address));
}

function openDocuments(
  settings: DocumentStoreSettings,
  remove: () => void | Promise<void>,
): DocumentStoreHarness {
  const stores: DocumentStore[] = [];
  return {
    address: {
      module: join(__dirname, '../../../src/factories/create-stores.ts'),
      factory: 'createDocumentStore',
      settings,
    },
    connect() {
      const store = createDocumentStore(settings);
      stores.push(store);
      return store;
    },
    async dispose() {
      for (const store of stores) await store.close();
      await remove();
    },
  };
}
