import type { MemoryGraphSettings } from '../../factories/create-memory-graph';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { VectorIndex } from '../../stores/memory/vector-index';
import type { Neo4jSettings } from '../../stores/neo4j/settings';
import type { PineconeIndexOptions } from '../../stores/pinecone/pinecone-index';

/** Opens the stores of memories. The wiring provides the adapters, so that this folder does not depend on them. */
export interface MemoryBackends {
  /** Nothing is opened before the first use. @throws HoldfastError `CONFIGURATION` */
  readonly openGraph: (settings: MemoryGraphSettings) => MemoryGraph;
  /** Opens an index of vectors. Nothing is opened before the first use. @throws HoldfastError `CONFIGURATION` */
  readonly openIndex: (options: PineconeIndexOptions) => VectorIndex;
  /** Logs in at the server of a graph; its errors say more than those of the graph. @throws HoldfastError */
  readonly checkServer: (settings: Neo4jSettings) => Promise<void>;
}
