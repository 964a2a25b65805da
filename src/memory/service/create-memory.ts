import type { Embedders } from '../../embeddings/embedders';
import { EMBEDDER_SETTINGS, type EmbedderSettings } from '../../embeddings/embedder-settings';
import { messageOf } from '../../base/errors';
import { newId } from '../../base/ids';
import type { Logger } from '../../base/logger';
import type { Metrics } from '../../base/metrics';
import type { SecretBox } from '../../secrets/secret-box';
import type { Pseudonyms } from '../../secrets/pseudonyms';
import { countedFailures } from '../../stores/counted-failures';
import type { DocumentStore } from '../../stores/documents';
import type { MemoryGraph, UserMemories } from '../../stores/memory/memory-graph';
import type { VectorIndex } from '../../stores/memory/vector-index';
import { tenantDocuments } from '../../stores/tenants/tenant-documents';
import {
  tenantMemories,
  tenantUsers,
  tenantVectors,
  type UserVectors,
} from '../../stores/tenants/tenant-memories';
import { contentOf, sourceOf, textOf } from '../nodes/episodic-node';
import type { MemoryBackends } from './backends';
import { createMemoryDirectory, type MemoryDirectory } from './directory';
import { createFacts, type FactRules } from '../facts/facts';
import { createKeptSources } from '../facts/kept-sources';
import { createModelFacts, type ModelFactsPorts } from '../facts/model/model-facts';
import { createConsolidations, type Consolidations } from '../upkeep/consolidations';
import { createRedrawLater } from '../upkeep/redraw-later';
import { createRedrawPage } from '../upkeep/redraw';
import { createFactRedraw, type FactRedraw } from '../upkeep/redraw-pass';
import { createTraces } from './create-traces';
import type { RefCountedPool } from './ref-counted-pool';
import { EPISODIC_THRESHOLD } from '../search/thresholds';
import { createStaleVectorCleaner, type StaleVectorCleaner } from '../vectors/stale-vectors';
import { createMemoryService, type MemoryService } from './memory-service';
import { type MemorySettings, pick, placeOfGraph, placesOf } from './memory-settings';
import { createReadCounter } from '../nodes/read-counter';
import { createReindex, type Reindex } from '../vectors/reindex';
import { createReembedVectors } from '../vectors/reembed-vectors';
import { createMemorySearch } from '../search/search';
import { createVectorRelay, type VectorRelay } from '../vectors/vector-relay';
import { createOpenSpaces } from '../vectors/vector-spaces';
import type { ErasedMemories } from '../../contracts/runs/memory';
import type { FactLog } from '../facts/fact-log';
import type { MemoryArchive } from '../upkeep/archive';

export interface MemoryPorts {
  readonly backends: MemoryBackends;
  readonly settings: MemorySettings;
  readonly logger: Logger;
  readonly pseudonyms: Pseudonyms;
  readonly documents: DocumentStore;
  readonly secrets: SecretBox;
  /** The rules that read facts; absent: none are drawn. */
  readonly factRules: FactRules | undefined;
  /** Whether a model draws facts too. */
  readonly factsByModel: boolean;
  /** The embedding models. Memory systems with the same model share it. */
  readonly embedders: RefCountedPool<EmbedderSettings, Embedders>;
  readonly metrics: Metrics;
}

/** The memories of one tenant. */
export interface TenantMemory {
  readonly service: MemoryService;
  readonly graph: ErasableMemories & Pick<MemoryGraph, 'vectorSpaces'>;
  /** Absent: the graph has the vectors of semantic memories. */
  readonly index: UserVectors | undefined;
  readonly consolidations: Consolidations;
  /** Absent if no rules draw facts. */
  readonly redraw: FactRedraw | undefined;
  readonly directory: MemoryDirectory;
  /** Lists users who have memories of a kind, in ascending order of code units. */
  readonly listUsers: MemoryGraph['listUsers'];
}

/** The memory system and its parts, for all tenants. */
export interface Memory {
  /** The memories of a tenant, which is made at the first use. */
  of(tenant: string): TenantMemory;
  readonly graph: MemoryGraph;
  /** Absent: the graph has the vectors of semantic memories. */
  readonly index: VectorIndex | undefined;
  /** Whether a store of semantic memories is configured. */
  readonly hasSemantic: boolean;
  readonly embedders: Embedders;
  readonly reindex: Reindex;
  /** Logs in at the server of the graph; does nothing if the graph is embedded. @throws HoldfastError */
  checkServer(): Promise<void>;
  /** Updates the index from the graph; absent if there is no index. */
  readonly relay: VectorRelay | undefined;
  /** Removes vectors of earlier models from the index; absent if there is no index. */
  readonly staleVectors: StaleVectorCleaner | undefined;
  close(): Promise<void>;
}

/** Maximum numbers of vectors and of users in one round. */
const MAX_VECTORS_MOVED = 1_000;
const MAX_USERS_TIDIED = 500;
/** Time limit of one request to an index of vectors with all its attempts, milliseconds. */
const INDEX_TIMEOUT_MS = 10_000;

/**
 * Creates the memory system of these settings. It opens nothing yet, except that an embedding model is loaded in the
 * background.
 * @throws HoldfastError `CONFIGURATION`
 */
export function createMemory(ports: MemoryPorts): Memory {
  const {
    backends,
    settings,
    logger,
    pseudonyms,
    documents,
    secrets,
    factRules,
    factsByModel,
    embedders: models,
    metrics,
  } = ports;
  const store = pseudonyms('memory-stores', JSON.stringify(placesOf(settings)));
  const vectorsElsewhere = settings.pinecone !== undefined;
  const graph = countedFailures(backends.openGraph({ ...settings, vectorsElsewhere }), 'memories', metrics);
  const pinecone = createIndex(ports, graph);
  const index = pinecone && countedFailures(pinecone, 'vectors', metrics);
  const model = models.acquire(pick(settings, EMBEDDER_SETTINGS));
  const embedders = model.value;
  const reads = createReadCounter(graph, (error) =>
    logger.warn({ reason: messageOf(error) }, 'reads of memories are not counted yet'),
  );
  const spaces = createOpenSpaces(graph, embedders);
  const hasSemantic = settings.VECTOR_STORE !== 'none';
  const kept = createKeptSources();
  const tenants = new Map<string, TenantMemory>();
  return {
    of(tenant) {
      const memory = tenants.get(tenant) ?? createTenantMemory(tenant);
      tenants.set(tenant, memory);
      return memory;
    },
    graph,
    index,
    hasSemantic,
    embedders,
    reindex: createReindex({
      graph,
      embedders,
      textOf,
      store,
    }),
    relay:
      index === undefined
        ? undefined
        : createVectorRelay({
            graph,
            index,
            reembed: createReembedVectors({ graph, spaces }),
            limit: MAX_VECTORS_MOVED,
          }),
    staleVectors:
      index === undefined
        ? undefined
        : createStaleVectorCleaner({ documents, graph, index, place: store, limit: MAX_USERS_TIDIED }),
    async checkServer() {
      if (settings.neo4j !== undefined) await backends.checkServer(settings.neo4j);
    },
    async close() {
      await reads.close();
      await Promise.all([model.release(), index?.close()]);
      await graph.close();
    },
  };

  function createTenantMemory(tenant: string): TenantMemory {
    const memories = tenantMemories(graph, tenant);
    const vectors = index && tenantVectors(index, tenant);
    const search = createMemorySearch({ graph: memories, spaces, index: vectors, now: Date.now });
    const own = tenantDocuments(documents, tenant);
    const users = tenantUsers(graph, tenant);
    const { log, archive } = createTraces({
      documents: own,
      graph: memories,
      secrets,
      pseudonyms,
      settings,
      tenant,
      kept,
      now: Date.now,
    });
    const facts = createFacts({ log, rules: factRules, byModel: factsByModel, newId, now: Date.now });
    const quota = settings.MEMORY_MAX_PER_USER;
    const redrawPage = factRules && createRedrawPage({ graph: memories, log, archive, rules: factRules });
    const service = createMemoryService({
      graph: memories,
      facts,
      redrawPage,
      redrawLater: redrawPage && createRedrawLater(redrawPage),
      derive: (name) => pseudonyms('imported-memories', JSON.stringify([tenant, name])),
      modelFacts: createModelFacts({ log, rules: factRules, textOf: textOfUser(memories) }),
      spaces,
      search,
      reads,
      hasSemantic,
      maxContentLength: settings.MEMORY_MAX_CONTENT_LENGTH,
      thresholds: { episodic: EPISODIC_THRESHOLD, semantic: settings.MEMORY_SIMILARITY_THRESHOLD },
      quota,
      newId,
      now: Date.now,
    });
    const upkeep = { graph: memories, facts, archive, spaces, hasSemantic, quota, newId, now: Date.now };
    return {
      service,
      graph: { ...withTraces(memories, log, archive), vectorSpaces: () => graph.vectorSpaces() },
      index: vectors,
      consolidations: createConsolidations(upkeep),
      redraw:
        factRules &&
        redrawPage &&
        createFactRedraw({
          ...{ documents: own, secrets, logger, now: Date.now },
          factsVersion: factRules.factsVersion,
          place: pseudonyms('memory-graphs', placeOfGraph(settings)),
          page: redrawPage,
          ...users,
        }),
      directory: createMemoryDirectory({ graph: memories, ...users }),
      ...users,
    };
  }
}

/** Reads memories that users have made: facts are what a user says, and not what an assistant or a machine does. */
function textOfUser(memories: Pick<UserMemories, 'get'>): ModelFactsPorts['textOf'] {
  return async ({ memoryId, userId }) => {
    const node = await memories.get(memoryId);
    const isTheirs = node?.kind === 'episodic' && node.userId === userId && sourceOf(node) === 'user';
    return isTheirs ? contentOf(node) : undefined;
  };
}

function createIndex(
  { settings, backends, pseudonyms }: MemoryPorts,
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

/** Memories of users, with the copies of those that were archived. */
type ErasableMemories = Omit<UserMemories, 'eraseSome'> & {
  eraseSome(userId: string, limit: number): Promise<ErasedMemories>;
};

/** The memories of users, whose erasure takes the facts and the copies of archived memories with it. */
function withTraces(memories: UserMemories, log: FactLog, archive: MemoryArchive): ErasableMemories {
  return {
    ...memories,
    async beginErasure(userId) {
      await memories.beginErasure(userId);
      await log.beginErasure(userId);
      await archive.beginErasure(userId);
    },
    async eraseSome(userId, limit) {
      const erased = await memories.eraseSome(userId, limit);
      return { ...erased, archived: await archive.eraseSome(userId, limit) };
    },
    async endErasure(userId) {
      await log.endErasure(userId);
      await archive.endErasure(userId);
      await memories.endErasure(userId);
    },
  };
}
