import { join } from 'node:path';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import { createNeo4jMemoryGraph } from '../../src/stores/neo4j/memory';
import { describeWithNeo4j, removeData, usePatientNeo4j } from '../support/neo4j';
import { describeMemoryGraph } from './memory-graph';

// Each of hundreds of writes is an fsync and several round trips.
describeWithNeo4j('on a real server', () => {
  const address = usePatientNeo4j();

  describeMemoryGraph('Neo4j', () => {
    const settings = { neo4j: address() };
    const graphs: MemoryGraph[] = [];
    return Promise.resolve({
      address: {
        module: join(__dirname, '../../src/stores/neo4j/memory/index.ts'),
        factory: 'createNeo4jMemoryGraph',
        settings,
      },
      connect: (options) => {
        const graph = createNeo4jMemoryGraph({ ...settings, ...options });
        graphs.push(graph);
        return graph;
      },
      dispose: async () => {
        for (const graph of graphs) await graph.close();
        await removeData(settings.neo4j);
      },
    });
  });
});
