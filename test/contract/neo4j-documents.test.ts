import { describeWithNeo4j, usePatientNeo4j } from '../support/neo4j';
import { describeDocumentStore } from './documents';
import { openNeo4jDocuments } from './support/open-documents';

// Each of hundreds of writes is an fsync and several round trips.
describeWithNeo4j('on a real server', () => {
  const address = usePatientNeo4j();

  describeDocumentStore('Neo4j', () => Promise.resolve(openNeo4jDocuments(address())));
});
