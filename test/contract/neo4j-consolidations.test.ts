import { createNeo4jMemoryGraph } from '../../src/stores/neo4j/memory';
import { describeWithNeo4j, usePatientNeo4j } from '../support/neo4j';
import { describeConsolidations } from './consolidations';
import { openNeo4jDocuments } from './support/open-documents';

describeWithNeo4j('on a real server', () => {
  const address = usePatientNeo4j();

  describeConsolidations('Neo4j', () => {
    const graph = createNeo4jMemoryGraph({ neo4j: address() });
    const documents = openNeo4jDocuments(address());
    return Promise.resolve({
      graph,
      documents: documents.connect(),
      async dispose() {
        await graph.close();
        await documents.dispose();
      },
    });
  });
});
