import type { RecordStores } from '../../stores/record-stores';
import { createNeo4jRecordStores } from '../../stores/neo4j';
import { describeWithNeo4j, removeData, usePatientNeo4j } from '../../../../test/support/neo4j';
import { describeRecordStore } from './record-store';

// Each of hundreds of writes is an fsync and several round trips.
describeWithNeo4j('on a real server', () => {
  const address = usePatientNeo4j();

  describeRecordStore('Neo4j', () => {
    const neo4j = address();
    const opened: RecordStores[] = [];
    return Promise.resolve({
      open: () => {
        const stores = createNeo4jRecordStores({ neo4j });
        opened.push(stores);
        return stores;
      },
      dispose: async () => {
        for (const stores of opened) await stores.close();
        await removeData(neo4j);
      },
    });
  });
});
