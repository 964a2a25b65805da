import { Context } from '@temporalio/activity';
import {
  childErasureId,
  type ErasureEnd,
  type ErasureEndInput,
  type ErasureInput,
  type ErasureStep,
  type ReindexPage,
  type ReindexPageInput,
  type ReindexTarget,
  type ReindexWordsInput,
  type ReindexWordsPage,
  type RunErasureStep,
} from '../src/contracts/runs/memory';
import type { RedrawFactsStep } from '../src/contracts/runs/facts';
import type { Erasures } from '../src/memory/erasures';
import type { Reindex } from '../src/memory/vectors/reindex';

export interface MemoryActivitiesPorts {
  readonly erasures: Erasures;
  /** Opens the stores in use. */
  readonly openStores: () => Promise<{ readonly reindex: Reindex }>;
  /** Draws the facts of a bounded number of memories anew. */
  readonly redrawFacts: (signal: AbortSignal) => Promise<RedrawFactsStep>;
  /** Deletes a bounded number of a user's runs from the Temporal server. */
  readonly eraseUserRuns: (userId: string, signal: AbortSignal) => Promise<RunErasureStep>;
}

/** The steps of the workflows that erase or move many memories. Each step may be repeated. */
export interface MemoryActivities {
  beginErasure(userId: string, erasureId: string): Promise<string>;
  eraseStep(input: ErasureInput): Promise<ErasureStep>;
  /** Deletes a bounded number of the user's runs. */
  eraseRuns(input: ErasureInput): Promise<RunErasureStep>;
  finishErasure(input: ErasureEndInput): Promise<ErasureEnd>;
  redrawFacts(): Promise<RedrawFactsStep>;
  openReindex(again?: boolean): Promise<ReindexTarget>;
  reindexPage(input: ReindexPageInput): Promise<ReindexPage>;
  switchVectorSpace(spaceId: number, store?: string): Promise<boolean>;
  /** Indexes the words of a bounded number of memories. */
  reindexWords(input: ReindexWordsInput): Promise<ReindexWordsPage>;
}

export function createMemoryActivities({
  erasures,
  openStores,
  redrawFacts,
  eraseUserRuns,
}: MemoryActivitiesPorts): MemoryActivities {
  const signal = (): AbortSignal => Context.current().cancellationSignal;
  return {
    beginErasure: (userId, erasureId) => {
      const { workflowExecution } = Context.current().info;
      return erasures.begin(userId, childErasureId(workflowExecution?.workflowId ?? ''), erasureId);
    },
    eraseStep: ({ erasureId }) => erasures.step(erasureId, signal()),
    async eraseRuns({ erasureId }) {
      const userId = await erasures.userOf(erasureId);
      // The user is unknown if this attempt repeats a step after the erasure has ended.
      return userId === undefined ? { runs: 0, done: true } : eraseUserRuns(userId, signal());
    },
    async finishErasure({ erasureId, erased }) {
      const userId = await erasures.userOf(erasureId);
      // A turn that was accepted just before the erasure may have started after the user's runs were listed.
      while (userId !== undefined && !(await eraseUserRuns(userId, signal())).done) continue;
      return erasures.finish(erasureId, signal(), erased);
    },
    redrawFacts: () => redrawFacts(signal()),
    openReindex: async (again) => (await openStores()).reindex.open(signal(), again),
    reindexPage: async (input) => (await openStores()).reindex.page(input, signal()),
    switchVectorSpace: async (spaceId, store) => (await openStores()).reindex.switchTo(spaceId, store),
    reindexWords: async (input) => (await openStores()).reindex.words(input, signal()),
  };
}
