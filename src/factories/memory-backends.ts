import { checkNeo4jServer } from '../stores/neo4j/check-server';
import { createPineconeIndex } from '../stores/pinecone/pinecone-index';
import { createMemoryGraph } from './create-stores';

/** The adapters for memories: SQLite or Neo4j for the graph, and Pinecone for vectors. */
export const memoryBackends = {
  openGraph: createMemoryGraph,
  openIndex: createPineconeIndex,
  checkServer: checkNeo4jServer,
};
