import type { Embedders } from '../../embeddings/embedders';
import { messageOf } from '../../base/errors';
import type { Metrics } from '../../base/metrics';
import { countedFailures } from '../../stores/counted-failures';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { VectorIndex } from '../../stores/memory/vector-index';
import { createWriteGate, gatedWrites, GRAPH_WRITES, INDEX_WRITES } from '../../stores/write-gate';
import { createKeptSources } from '../facts/kept-sources';
import { textOf } from '../nodes/episodic-node';
import { createReadCounter } from '../nodes/read-counter';
import { createReembedVectors } from '../vectors/reembed-vectors';
import { createReindex, type Reindex } from '../vectors/reindex';
import { createStaleVectorCleaner, type StaleVectorCleaner } from '../vectors/stale-vectors';
import { createVectorRelay, type VectorRelay } from '../vectors/vector-relay';
import { createOpenSpaces } from '../vectors/vector-spaces';
import { createMemory, type Memory, type SharedMemoryPorts } from './create-memory';
import { placesOf } from './memory-settings';
import type { Neo4jSettings } from '../../stores/neo4j/settings';
import type { PineconeIndexOptions } from '../../stores/pinecone/pinecone-index';
import type { MemoryGraphSettings } from '../../factories/create-stores';

export interface OpenStoresPorts extends SharedMemoryPorts {
  readonly backends: MemoryBackends;
  /** The embedding models of the settings. `close` leaves them open. */
  readonly embedders: Embedders;
  readonly metrics: Metrics;
  /** Asked before each write of the graph and of the index. */
  readonly mayWrite: () => boolean;
}

/** Open stores of memories, which all tenants share. */
export interface OpenStores {
  /** The memory of a tenant, which is made at the first use. */
  of(tenant: string): Memory;
  readonly graph: MemoryGraph;
  /** Absent: the graph has the vectors of semantic memories. */
  readonly index: VectorIndex | undefined;
  /** Whether a store of semantic memories is configured. */
  readonly hasSemantic: boolean;
  readonly embedders: Embedders;
  readonly reindex: Reindex;
  /** Updates the index from the graph; absent if there is no index. */
  readonly relay: VectorRelay | undefined;
  /** Removes vectors of earlier models from the index; absent if there is no index. */
  readonly staleVectors: StaleVectorCleaner | undefined;
  /** Logs in at the server of the graph; does nothing if the graph is embedded. @throws HoldfastError */
  checkServer(): Promise<void>;
  /** Whether no write to these stores is running. */
  isIdle(): boolean;
  close(): Promise<void>;
}

/** Maximum numbers of vectors and of users in one round. */
const MAX_VECTORS_MOVED = 1_000;
const MAX_USERS_TIDIED = 500;
/** Time limit of one request to an index of vectors with all its attempts, milliseconds. */
const INDEX_TIMEOUT_MS = 10_000;

/** Opens the stores of these settings. Nothing is connected before the first use. @throws HoldfastError `CONFIGURATION` */
export function openStores(ports: OpenStoresPorts): OpenStores {
  const { backends, settings, logger, pseudonyms, documents, embedders, metrics, mayWrite } = ports;
  const place = pseudonyms('memory-stores', JSON.stringify(placesOf(settings)));
  const gate = createWriteGate(mayWrite);
  const opened = backends.openGraph({ ...settings, vectorsElsewhere: settings.pinecone !== undefined });
  const graph = gatedWrites(countedFailures(opened, 'memories', metrics), GRAPH_WRITES, gate);
  const pinecone = openIndex(ports, graph);
  const index = pinecone && gatedWrites(countedFailures(pinecone, 'vectors', metrics), INDEX_WRITES, gate);
  const reads = createReadCounter(graph, (error) => {
    if (mayWrite()) logger.warn({ reason: messageOf(error) }, 'reads of memories are not counted yet');
  });
  const spaces = createOpenSpaces(graph, embedders);
  const hasSemantic = settings.VECTOR_STORE !== 'none';
  const memoryPorts = {
    ...ports,
    // Facts and copies of archived memories are documents under the place of the graph, so they are written with it or not at all.
    documents: gatedWrites(documents, ['write'], gate),
    ...{ graph, index, reads, spaces, hasSemantic, kept: createKeptSources() },
  };
  const tenants = new Map<string, Memory>();
  return {
    of(tenant) {
      const memory = tenants.get(tenant) ?? createMemory({ ...memoryPorts, tenant });
      tenants.set(tenant, memory);
      return memory;
    },
    graph,
    index,
    hasSemantic,
    embedders,
    reindex: createReindex({ graph, embedders, textOf, store: place }),
    relay:
      index &&
      createVectorRelay({
        graph,
        index,
        reembed: createReembedVectors({ graph, spaces }),
        limit: MAX_VECTORS_MOVED,
      }),
    staleVectors:
      index && createStaleVectorCleaner({ documents, graph, index, place, limit: MAX_USERS_TIDIED }),
    async checkServer() {
      if (settings.neo4j !== undefined) await backends.checkServer(settings.neo4j);
    },
    isIdle: () => gate.isIdle(),
    async close() {
      await reads.close();
      await index?.close();
      await graph.close();
    },
  };
}

function openIndex(
  { settings, backends, pseudonyms }: OpenStoresPorts,
  graph: Pick<MemoryGraph, 'vectorSpaces'>,
): VectorIndex | undefined {
  const { pinecone, MEMORY_EMBEDDING_DIMENSIONS: dimensions } = settings;
  if (pinecone === undefined) return undefined;
  return backends.openIndex({
    ...pinecone,
    dimensions,
    dimensionsOf: async (spaceId) => {
      const { current, next } = await graph.vectorSpaces();
      return [current, next].find((space) => space?.id === spaceId)?.dimensions;
    },
    timeoutMs: INDEX_TIMEOUT_MS,
    namespaceOf: (spaceId, userId) => `s${spaceId}-${pseudonyms('pinecone', userId)}`,
  });
}

/** Opens the stores of memories. The wiring provides the adapters, so that this folder does not depend on them. */
export interface MemoryBackends {
  /** Nothing is opened before the first use. @throws HoldfastError `CONFIGURATION` */
  readonly openGraph: (settings: MemoryGraphSettings) => MemoryGraph;
  /** Opens an index of vectors. Nothing is opened before the first use. @throws HoldfastError `CONFIGURATION` */
  readonly openIndex: (options: PineconeIndexOptions) => VectorIndex;
  /** Logs in at the server of a graph; its errors say more than those of the graph. @throws HoldfastError */
  readonly checkServer: (settings: Neo4jSettings) => Promise<void>;
}
