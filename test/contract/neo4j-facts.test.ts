import { describeWithNeo4j, useNeo4j } from '../support/neo4j';
import { describeFacts } from './facts';
import { describeModelFacts } from './model-facts';
import { describeMovedTraces } from './moved-traces';
import { openNeo4jDocuments } from './support/open-documents';

describeWithNeo4j('on a real server', () => {
  const address = useNeo4j();

  describeFacts('Neo4j', () => Promise.resolve(openNeo4jDocuments(address())));
  describeModelFacts('Neo4j', () => Promise.resolve(openNeo4jDocuments(address())));
  describeMovedTraces('Neo4j', () => Promise.resolve(openNeo4jDocuments(address())));
});
