import { describeChains } from './memory-graph-chains';
import { describeMemoryConcurrency } from './memory-graph-concurrency';
import { describeErasure } from './memory-graph-erasure';
import { describeFilters } from './memory-graph-filters';
import { describeMemoryLists } from './memory-graph-lists';
import { describeMemoryModel } from './memory-graph-model';
import { describeOutbox } from './memory-graph-outbox';
import { describeRanking } from './memory-graph-ranking';
import { describeRelations } from './memory-graph-relations';
import { describeSingleMemories } from './memory-graph-single';
import { describeSpaces } from './memory-graph-spaces';
import { describeStatistics } from './memory-graph-statistics';
import { describeTextSearch } from './memory-graph-text';
import { describeVectorSearch } from './memory-graph-vectors';
import { describeTenants } from './memory-graph-tenants';
import { describePort } from './support/describe-port';
import type { MemoryGraphHarness } from './support/memory-harness';

/** What every adapter of the `MemoryGraph` port has to do. */
export function describeMemoryGraph(name: string, open: () => Promise<MemoryGraphHarness>): void {
  describePort(`${name} memory graph`, open, [
    describeSingleMemories,
    describeChains,
    describeRelations,
    describeMemoryLists,
    describeFilters,
    describeStatistics,
    describeTextSearch,
    describeVectorSearch,
    describeRanking,
    describeSpaces,
    describeOutbox,
    describeErasure,
    describeTenants,
    describeMemoryConcurrency,
    describeMemoryModel,
  ]);
}
