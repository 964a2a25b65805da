import type { RecordStore } from '../../src/stores/records/record-store';
import { createNeo4jRecordStore } from '../../src/stores/neo4j/records';
import { describeWithNeo4j, queryNeo4j, usePatientNeo4j } from '../support/neo4j';
import { describeRecordStore } from './record-store';

// Each of hundreds of writes is an fsync and several round trips.
describeWithNeo4j('on a real server', () => {
  const address = usePatientNeo4j();

  describeRecordStore('Neo4j', () => {
    const neo4j = address();
    const stores: RecordStore[] = [];
    return Promise.resolve({
      connect: () => {
        const store = createNeo4jRecordStore({ neo4j });
        stores.push(store);
        return store;
      },
      dispose: async () => {
        for (const store of stores) await store.close();
        // The schema may stay.
        await queryNeo4j(neo4j, 'MATCH (node) WHERE NOT node:HoldfastSchema DETACH DELETE node');
      },
    });
  });
});
