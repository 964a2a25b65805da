import type { MemoryComponent } from '../../contracts/http/memory';
import type { ErasedMemories } from '../../contracts/runs/memory';
import { HoldfastError } from '../../base/errors';
import { newId } from '../../base/ids';
import type { Logger } from '../../base/logger';
import type { Pseudonyms } from '../../secrets/pseudonyms';
import type { SecretBox } from '../../secrets/secret-box';
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
import type { FactLog } from '../facts/fact-log';
import { createFacts, type FactRules, type Facts } from '../facts/facts';
import type { KeptSources } from '../facts/kept-sources';
import { createModelFacts, type ModelFacts, type ModelFactsPorts } from '../facts/model/model-facts';
import { createMemoryImports, type MemoryImports } from '../import/memory-imports';
import { createInsightsReader, type InsightsReader } from '../insights/memory-insights';
import { contentOf, sourceOf } from '../nodes/episodic-node';
import type { ReadCounter } from '../nodes/read-counter';
import { createMemoryRecall, type MemoryRecall } from '../search/recall';
import { createMemorySearch } from '../search/search';
import type { MemoryArchive } from '../upkeep/archive';
import { createConsolidations, type Consolidations } from '../upkeep/consolidations';
import { createRedrawPage } from '../upkeep/redraw';
import { createRedrawLater } from '../upkeep/redraw-later';
import { createFactRedraw, type FactRedraw } from '../upkeep/redraw-pass';
import type { OpenSpaces } from '../vectors/vector-spaces';
import { createTraces } from './create-traces';
import { createMemoryDirectory, type MemoryDirectory } from './directory';
import { createEpisodicMemories, type EpisodicMemories } from './episodic';
import { createMemoryExport, type MemoryExport } from './export';
import { createGraphViewReader, type GraphViewReader } from './graph-view';
import { type ConversationHistory, createConversationHistory } from './history';
import { createMemoryListing, type MemoryListing } from './listing';
import { type MemorySettings, placeOfGraph } from './memory-settings';
import { createMessages, type Messages } from './messages';
import { createMemoryOverview, type MemoryOverview } from './overview';
import { createSemanticMemories, type SemanticMemories } from './semantic';
import { EPISODIC_THRESHOLD } from '../search/scoring';

/** The memory of one tenant, in open stores. */
export interface Memory {
  readonly episodic: EpisodicMemories;
  /** @throws HoldfastError `STORE_UNAVAILABLE` with details `{ service, reason }` if there is no such store */
  semantic(): SemanticMemories;
  /** Whether a store of semantic memories is configured. */
  readonly hasSemantic: boolean;
  readonly facts: Facts;
  /** What a model draws beside the rules. */
  readonly modelFacts: ModelFacts;
  /** Absent if no rules draw facts. */
  readonly redraw: FactRedraw | undefined;
  readonly graphView: GraphViewReader;
  readonly overview: MemoryOverview;
  readonly listing: MemoryListing;
  readonly exportAll: MemoryExport;
  readonly imports: MemoryImports;
  readonly insights: InsightsReader;
  readonly history: ConversationHistory;
  /** Recalls memories for turns of conversations. */
  readonly recall: MemoryRecall;
  readonly messages: Messages;
  readonly consolidations: Consolidations;
  readonly directory: MemoryDirectory;
  /** Lists users who have memories of a kind, in ascending order of code units. */
  readonly listUsers: MemoryGraph['listUsers'];
  /** The memories of users. Their erasure takes the facts and the copies of archived memories with it. */
  readonly graph: ErasableMemories;
  /** Absent: the graph has the vectors of semantic memories. */
  readonly index: UserVectors | undefined;
}

export type ErasableMemories = Omit<UserMemories, 'eraseSome'> &
  Pick<MemoryGraph, 'vectorSpaces'> & {
    eraseSome(userId: string, limit: number): Promise<ErasedMemories>;
  };

/** What the memories of all tenants share. */
export interface SharedMemoryPorts {
  readonly settings: MemorySettings;
  readonly logger: Logger;
  readonly pseudonyms: Pseudonyms;
  readonly documents: DocumentStore;
  readonly secrets: SecretBox;
  /** The rules that read facts; absent: none are drawn. */
  readonly factRules: FactRules | undefined;
  /** Whether a model draws facts too. */
  readonly factsByModel: boolean;
}

export interface MemoryPorts extends SharedMemoryPorts {
  readonly tenant: string;
  /** Those of all tenants. */
  readonly graph: MemoryGraph;
  readonly index: VectorIndex | undefined;
  readonly reads: ReadCounter;
  readonly spaces: OpenSpaces;
  readonly hasSemantic: boolean;
  /** What was opened of facts, for all tenants. */
  readonly kept: KeptSources;
}

/** The components that semantic memories need, if there are semantic memories. */
export function semanticComponents({ hasSemantic }: Pick<Memory, 'hasSemantic'>): readonly MemoryComponent[] {
  return hasSemantic ? ['vectordb'] : [];
}

export function createMemory(ports: MemoryPorts): Memory {
  const { tenant, settings, logger, pseudonyms, secrets, factRules, spaces, reads, hasSemantic, kept } =
    ports;
  const now = Date.now;
  const graph = tenantMemories(ports.graph, tenant);
  const index = ports.index && tenantVectors(ports.index, tenant);
  const users = tenantUsers(ports.graph, tenant);
  const documents = tenantDocuments(ports.documents, tenant);
  const quota = settings.MEMORY_MAX_PER_USER;
  const search = createMemorySearch({ graph, spaces, index, now });
  const { log, archive } = createTraces({
    documents,
    graph,
    secrets,
    pseudonyms,
    settings,
    tenant,
    kept,
    now,
  });
  const facts = createFacts({ log, rules: factRules, byModel: ports.factsByModel, newId, now });
  const redrawPage = factRules && createRedrawPage({ graph, log, archive, rules: factRules });
  const shared = {
    graph,
    facts,
    archive,
    spaces,
    search,
    reads,
    hasSemantic,
    quota,
    redrawPage,
    redrawLater: redrawPage && createRedrawLater(redrawPage),
    maxContentLength: settings.MEMORY_MAX_CONTENT_LENGTH,
    derive: (name: string) => pseudonyms('imported-memories', JSON.stringify([tenant, name])),
    thresholds: { episodic: EPISODIC_THRESHOLD, semantic: settings.MEMORY_SIMILARITY_THRESHOLD },
    newId,
    now,
  };
  const episodic = createEpisodicMemories(shared);
  const semantic = createSemanticMemories(shared);
  return {
    episodic,
    semantic() {
      if (hasSemantic) return semantic;
      const reason = 'no store of semantic memories is configured: VECTOR_STORE=none';
      throw new HoldfastError('STORE_UNAVAILABLE', `Semantic memories are not available: ${reason}`, {
        details: { service: 'vectordb', reason },
      });
    },
    hasSemantic,
    facts,
    modelFacts: createModelFacts({ log, rules: factRules, textOf: textOfUser(graph) }),
    redraw:
      factRules &&
      redrawPage &&
      createFactRedraw({
        ...{ documents, secrets, logger, now },
        factsVersion: factRules.factsVersion,
        place: pseudonyms('memory-graphs', placeOfGraph(settings)),
        page: redrawPage,
        ...users,
      }),
    graphView: createGraphViewReader(shared),
    overview: createMemoryOverview(shared),
    listing: createMemoryListing(graph),
    exportAll: createMemoryExport(graph),
    imports: createMemoryImports(shared),
    insights: createInsightsReader(shared),
    history: createConversationHistory(graph),
    recall: createMemoryRecall(shared),
    messages: createMessages(episodic, shared.maxContentLength),
    consolidations: createConsolidations(shared),
    directory: createMemoryDirectory({ graph, ...users }),
    graph: { ...withTraces(graph, log, archive), vectorSpaces: () => ports.graph.vectorSpaces() },
    index,
    ...users,
  };
}

/** Reads memories that users have made: facts are what a user says, and not what an assistant or a machine does. */
function textOfUser(graph: Pick<UserMemories, 'get'>): ModelFactsPorts['textOf'] {
  return async ({ memoryId, userId }) => {
    const node = await graph.get(memoryId);
    const isTheirs = node?.kind === 'episodic' && node.userId === userId && sourceOf(node) === 'user';
    return isTheirs ? contentOf(node) : undefined;
  };
}

/** The memories of users, whose erasure takes the facts and the copies of archived memories with it. */
function withTraces(
  graph: UserMemories,
  log: FactLog,
  archive: MemoryArchive,
): Omit<ErasableMemories, 'vectorSpaces'> {
  return {
    ...graph,
    async beginErasure(userId) {
      await graph.beginErasure(userId);
      await log.beginErasure(userId);
      await archive.beginErasure(userId);
    },
    async eraseSome(userId, limit) {
      const erased = await graph.eraseSome(userId, limit);
      return { ...erased, archived: await archive.eraseSome(userId, limit) };
    },
    async endErasure(userId) {
      await log.endErasure(userId);
      await archive.endErasure(userId);
      await graph.endErasure(userId);
    },
  };
}
