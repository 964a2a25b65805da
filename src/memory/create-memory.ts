import type { Config } from '../config';
import { createEmbedders } from '../embeddings';
import { messageOf } from '../errors';
import { newId } from '../ids';
import { recallTerms } from '../llm/builtin/recalled';
import type { Logger } from '../logger';
import type { Pseudonyms } from '../secrets/pseudonyms';
import type { SecretBox } from '../secrets/secret-box';
import { createMemoryGraph } from '../stores/create-memory-graph';
import type { DocumentStore } from '../stores/documents';
import type { MemoryGraph } from '../stores/memory/memory-graph';
import type { VectorIndex } from '../stores/memory/vector-index';
import { createPineconeIndex } from '../stores/pinecone/pinecone-index';
import { createErasures, type Erasures } from './erasures';
import { EPISODIC_THRESHOLD } from './thresholds';
import type { MemoryService } from './memory-service';
import { createMemoryService } from './memory-service';
import { createReadCounter } from './read-counter';
import { createReindex, type Reindex } from './reindex';
import { createMemorySearch } from './search';
import { createOpenSpaces } from './vector-spaces';

export interface MemoryPorts {
  readonly config: Config;
  readonly logger: Logger;
  readonly pseudonyms: Pseudonyms;
  readonly secrets: SecretBox;
  readonly documents: DocumentStore;
}

/** The memory system and what it is made of. */
export interface Memory {
  readonly service: MemoryService;
  readonly graph: MemoryGraph;
  /** Absent: the graph holds the vectors of semantic memories. */
  readonly index: VectorIndex | undefined;
  readonly erasures: Erasures;
  readonly reindex: Reindex;
  close(): Promise<void>;
}

/** Of one request to an index of vectors with all its attempts, milliseconds. */
const INDEX_TIMEOUT_MS = 10_000;

/**
 * The memory system that the settings choose. Nothing is opened yet but the loading of an embedding model, in the
 * background.
 * @throws HoldfastError `CONFIGURATION`
 */
export function createMemory({ config, logger, pseudonyms, secrets, documents }: MemoryPorts): Memory {
  const index = createIndex(config, pseudonyms);
  const graph = createMemoryGraph({ ...config, vectorsElsewhere: index !== undefined });
  const embedders = createEmbedders(config, logger);
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
    hasSemantic: config.VECTOR_STORE !== 'none',
    maxContentLength: config.MEMORY_MAX_CONTENT_LENGTH,
    relatedWords: recallTerms,
    thresholds: { episodic: EPISODIC_THRESHOLD, semantic: config.MEMORY_SIMILARITY_THRESHOLD },
    quota: config.MEMORY_MAX_PER_USER,
    newId,
    now: Date.now,
  });
  return {
    service,
    graph,
    index,
    erasures: createErasures({ documents, graph, index, secrets, newId }),
    reindex: createReindex({ graph, embedders }),
    async close() {
      await reads.close();
      await Promise.all([embedders.close(), index?.close()]);
      await graph.close();
    },
  };
}

function createIndex({ pinecone, MEMORY_EMBEDDING_DIMENSIONS: dimensions }: Config, pseudonyms: Pseudonyms) {
  if (pinecone === undefined) return undefined;
  return createPineconeIndex({
    ...pinecone,
    dimensions,
    timeoutMs: INDEX_TIMEOUT_MS,
    namespaceOf: (spaceId, userId) => `s${spaceId}-${pseudonyms('pinecone', userId)}`,
  });
}
