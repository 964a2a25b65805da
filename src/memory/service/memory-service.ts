import { type ConversationHistory, createConversationHistory } from './history';
import type { MemoryComponent } from '../../contracts/http/memory';
import { HoldfastError } from '../../base/errors';
import type { Facts } from '../facts/facts';
import type { ModelFacts } from '../facts/model/model-facts';
import { createEpisodicMemories, type EpisodicMemories, type EpisodicPorts } from './episodic';
import { createGraphViewReader, type GraphViewReader } from './graph-view';
import { createMemoryExport, type MemoryExport } from './export';
import { createInsightsReader, type InsightsReader } from '../insights/memory-insights';
import { createMemoryListing, type MemoryListing } from './listing';
import { createMemoryOverview, type MemoryOverview } from './overview';
import { createMessages, type Messages } from './messages';
import { createMemoryRecall, type MemoryRecall, type RecallPorts } from '../search/recall';
import { createMemoryImports, type MemoryImports, type MemoryImportsPorts } from '../import/memory-imports';
import type { MemorySearch } from '../search/search';
import { createSemanticMemories, type SemanticMemories } from './semantic';

export interface MemoryServicePorts
  extends EpisodicPorts, RecallPorts, Pick<MemoryImportsPorts, 'redrawPage' | 'derive'> {
  readonly facts: Facts;
  readonly modelFacts: ModelFacts;
  readonly search: MemorySearch;
  /** Whether a store of semantic memories is configured. */
  readonly hasSemantic: boolean;
  /** Maximum length of a stored message, characters; a longer one is cut. */
  readonly maxContentLength: number;
}

/** The memory system as API and worker use it. */
export interface MemoryService {
  readonly episodic: EpisodicMemories;
  readonly facts: Facts;
  /** What a model draws beside the rules. */
  readonly modelFacts: ModelFacts;
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
  readonly hasSemantic: boolean;
  /** @throws HoldfastError `STORE_UNAVAILABLE` with details `{ service, reason }` if there is no such store */
  semantic(): SemanticMemories;
}

/** The components that semantic memories need, if there are semantic memories. */
export function semanticComponents({
  hasSemantic,
}: Pick<MemoryService, 'hasSemantic'>): readonly MemoryComponent[] {
  return hasSemantic ? ['vectordb'] : [];
}

export function createMemoryService(ports: MemoryServicePorts): MemoryService {
  const { hasSemantic } = ports;
  const semantic = createSemanticMemories(ports);
  const episodic = createEpisodicMemories(ports);
  return {
    episodic,
    facts: ports.facts,
    modelFacts: ports.modelFacts,
    graphView: createGraphViewReader(ports),
    overview: createMemoryOverview(ports),
    listing: createMemoryListing(ports.graph),
    exportAll: createMemoryExport(ports.graph),
    imports: createMemoryImports(ports),
    insights: createInsightsReader(ports),
    history: createConversationHistory(ports.graph),
    recall: createMemoryRecall(ports),
    messages: createMessages(episodic, ports.maxContentLength),
    hasSemantic,
    semantic() {
      if (hasSemantic) return semantic;
      const reason = 'no store of semantic memories is configured: VECTOR_STORE=none';
      throw new HoldfastError('STORE_UNAVAILABLE', `Semantic memories are not available: ${reason}`, {
        details: { service: 'vectordb', reason },
      });
    },
  };
}
