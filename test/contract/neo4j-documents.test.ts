import { join } from 'node:path';
import { createDocumentStore } from '../../src/stores/create-document-store';
import type { DocumentStore } from '../../src/stores/documents';
import { describeWithNeo4j, removeNodes, useNeo4j } from '../support/neo4j';
import { describeDocumentStore } from './documents';

// Each of hundreds of writes is an fsync and several round trips.
jest.setTimeout(60_000);

describeWithNeo4j('on a real server', () => {
  const address = useNeo4j();

  describeDocumentStore('Neo4j', () => {
    const settings = { neo4j: address() };
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
        await removeNodes(settings.neo4j);
      },
    });
  });
});
