import { describeWithNeo4j, usePatientNeo4j } from '../support/neo4j';
import { openNeo4jDocuments } from './support/open-documents';
import { describeUsage } from './usage';

describeWithNeo4j('on a real server', () => {
  const address = usePatientNeo4j();

  describeUsage('Neo4j', () => Promise.resolve(openNeo4jDocuments(address())));
});
