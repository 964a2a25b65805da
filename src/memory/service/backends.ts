import type { MemoryGraphSettings } from '../../factories/create-memory-graph';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { VectorIndex } from '../../stores/memory/vector-index';
import type { Neo4jSettings } from '../../stores/neo4j/settings';
import type { PineconeIndexOptions } from '../../stores/pinecone/pinecone-index';

/** Opens the stores that memories are kept in. The wiring joins their adapters, so that memory knows none of them. */
export interface MemoryBackends {
  /** Nothing is opened before the first use. @throws HoldfastError `CONFIGURATION` */
  readonly openGraph: (settings: MemoryGraphSettings) => MemoryGraph;
  /** Likewise. */
  readonly openIndex: (options: PineconeIndexOptions) => VectorIndex;
  /** Logs in at a graph's server, which says more of what is wrong than the graph does. @throws HoldfastError */
  readonly checkServer: (settings: Neo4jSettings) => Promise<void>;
}
