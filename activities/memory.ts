import { Context } from '@temporalio/activity';
import type {
  ErasureEnd,
  ErasureInput,
  ErasureStep,
  ReindexPage,
  ReindexPageInput,
  ReindexTarget,
} from '../src/contracts/memory-runs';
import type { Erasures } from '../src/memory/erasures';
import type { Reindex } from '../src/memory/reindex';

export interface MemoryActivitiesPorts {
  readonly erasures: Erasures;
  readonly reindex: Reindex;
}

/** The steps of work on many memories; each may be repeated. */
export interface MemoryActivities {
  eraseStep(input: ErasureInput): Promise<ErasureStep>;
  finishErasure(input: ErasureInput): Promise<ErasureEnd | undefined>;
  openReindex(): Promise<ReindexTarget>;
  reindexPage(input: ReindexPageInput): Promise<ReindexPage>;
  switchVectorSpace(spaceId: number, store?: string): Promise<boolean>;
}

export function createMemoryActivities({ erasures, reindex }: MemoryActivitiesPorts): MemoryActivities {
  const signal = (): AbortSignal => Context.current().cancellationSignal;
  return {
    eraseStep: ({ erasureId }) => erasures.step(erasureId, signal()),
    finishErasure: ({ erasureId }) => erasures.finish(erasureId, signal()),
    openReindex: () => reindex.open(signal()),
    reindexPage: (input) => reindex.page(input, signal()),
    switchVectorSpace: (spaceId, store) => reindex.switchTo(spaceId, store),
  };
}
