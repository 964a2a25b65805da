import type { Embedders, EmbedderSettings } from '../embeddings';
import { messageOf } from '../errors';
import { newId } from '../ids';
import type { Logger } from '../logger';
import type { Pseudonyms } from '../secrets/pseudonyms';
import { createMemoryGraph } from '../stores/create-memory-graph';
import type { MemoryGraph } from '../stores/memory/memory-graph';
import type { VectorIndex } from '../stores/memory/vector-index';
import { createPineconeIndex } from '../stores/pinecone/pinecone-index';
import type { Leases } from './configuration/leases';
import type { MemoryService } from './memory-service';
import { createMemoryService } from './memory-service';
import { type MemorySettings, pick, placesOf } from './memory-settings';
import { createReadCounter } from './read-counter';
import { createReindex, type Reindex } from './reindex';
import { createMemorySearch } from './search';
import { createOpenSpaces } from './vector-spaces';

const EMBEDDER_SETTINGS = [
  'DATA_DIR',
  'MEMORY_EMBEDDING_PROVIDER',
  'MEMORY_EMBEDDING_MODEL',
  'MEMORY_EMBEDDING_DIMENSIONS',
  'MEMORY_EMBEDDING_HUB_URL',
  'MEMORY_EMBEDDING_CACHE_ENTRIES',
  'MEMORY_EMBEDDING_CACHE_BYTES',
] as const satisfies readonly (keyof EmbedderSettings)[];

export interface MemoryPorts {
  readonly settings: MemorySettings;
  readonly logger: Logger;
  readonly pseudonyms: Pseudonyms;
  /** Embedding models, which memory systems of the same model share. */
  readonly embedders: Leases<EmbedderSettings, Embedders>;
}

/** The memory system and what it is made of. */
export interface Memory {
  readonly service: MemoryService;
  readonly graph: MemoryGraph;
  /** Absent: the graph holds the vectors of semantic memories. */
  readonly index: VectorIndex | undefined;
  readonly embedders: Embedders;
  readonly reindex: Reindex;
  close(): Promise<void>;
}

/** Of one request to an index of vectors with all its attempts, milliseconds. */
const INDEX_TIMEOUT_MS = 10_000;

/**
 * The memory system of these settings. Nothing is opened yet but the loading of an embedding model, in the
 * background.
 * @throws HoldfastError `CONFIGURATION`
 */
export function createMemory({ settings, logger, pseudonyms, embedders: models }: MemoryPorts): Memory {
  const index = createIndex(settings, pseudonyms);
  const graph = createMemoryGraph({ ...settings, vectorsElsewhere: index !== undefined });
  const model = models.lease(pick(settings, EMBEDDER_SETTINGS));
  const embedders = model.value;
  const reads = createReadCounter(graph, (error) =>
    logger.warn({ reason: messageOf(error) }, 'reads of memories are not counted yet'),
  );
  const spaces = createOpenSpaces(graph, embedders);
  const search = createMemorySearch({ graph, spaces, index });
  const service = createMemoryService({
    graph,
    spaces,
    search,
    reads,
    hasSemantic: settings.VECTOR_STORE !== 'none',
    quota: settings.MEMORY_MAX_PER_USER,
    newId,
    now: Date.now,
  });
  return {
    service,
    graph,
    index,
    embedders,
    reindex: createReindex({
      graph,
      embedders,
      store: pseudonyms('memory-stores', JSON.stringify(placesOf(settings))),
    }),
    async close() {
      await reads.close();
      await Promise.all([model.release(), index?.close()]);
      await graph.close();
    },
  };
}

function createIndex(
  { pinecone, MEMORY_EMBEDDING_DIMENSIONS: dimensions }: MemorySettings,
  pseudonyms: Pseudonyms,
) {
  if (pinecone === undefined) return undefined;
  return createPineconeIndex({
    ...pinecone,
    dimensions,
    timeoutMs: INDEX_TIMEOUT_MS,
    namespaceOf: (spaceId, userId) => `s${spaceId}-${pseudonyms('pinecone', userId)}`,
  });
}
