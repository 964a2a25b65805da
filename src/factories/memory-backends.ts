import { createMemoryGraph } from './create-memory-graph';
import { checkNeo4jServer } from '../stores/neo4j/check-server';
import { createPineconeIndex } from '../stores/pinecone/pinecone-index';

/** The adapters that memories can be kept by: SQLite or Neo4j, and Pinecone beside either. */
export const memoryBackends = {
  openGraph: createMemoryGraph,
  openIndex: createPineconeIndex,
  checkServer: checkNeo4jServer,
};
