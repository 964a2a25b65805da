import { describeWithNeo4j, usePatientNeo4j } from '../support/neo4j';
import { describeAgents } from './agents';
import { openNeo4jDocuments } from './support/open-documents';

describeWithNeo4j('on a real server', () => {
  const address = usePatientNeo4j();

  describeAgents('Neo4j', () => Promise.resolve(openNeo4jDocuments(address())));
});
