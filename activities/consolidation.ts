import { Context } from '@temporalio/activity';
import type {
  ArchiveInput,
  ConsolidationEnd,
  ConsolidationEndInput,
  ConsolidationInput,
  ConsolidationName,
  ConsolidationPassStep,
  ConsolidationPlan,
  SummariesInput,
  UndoStep,
} from '../src/contracts/runs/consolidation';
import type { MemoryStores } from '../src/memory/stores/memory-stores';
import { UNDOABLE_MS } from '../src/memory/upkeep/archive';
import type { ConsolidationPass } from '../src/memory/upkeep/pass';

export interface ConsolidationActivitiesPorts {
  readonly stores: MemoryStores;
  readonly pass: ConsolidationPass;
}

/** The steps of the workflows that consolidate memories. Each step may be repeated. */
export interface ConsolidationActivities {
  planConsolidation(input: ConsolidationInput): Promise<ConsolidationPlan>;
  /** @returns how many memories are archived now */
  archiveMemories(input: ArchiveInput): Promise<number>;
  storeSummaries(input: SummariesInput): Promise<void>;
  finishConsolidation(input: ConsolidationEndInput): Promise<ConsolidationEnd>;
  restoreMemories(input: ConsolidationName): Promise<UndoStep>;
  /** Consolidates the memories of the next users. */
  consolidateUsers(): Promise<ConsolidationPassStep>;
}

export function createConsolidationActivities({
  stores,
  pass,
}: ConsolidationActivitiesPorts): ConsolidationActivities {
  const signal = (): AbortSignal => Context.current().cancellationSignal;
  return {
    planConsolidation: ({ userId, ...options }) =>
      stores.use(({ consolidations }) => consolidations.plan(userId, options, signal())),
    archiveMemories: (input) => stores.use(({ consolidations }) => consolidations.archive(input, signal())),
    storeSummaries: (input) => stores.use(({ consolidations }) => consolidations.summarise(input)),
    finishConsolidation: ({ archived, ...name }) =>
      stores.use(async ({ consolidations }) => {
        const { at } = await consolidations.finish(name, archived);
        return { undoableUntil: new Date(at + UNDOABLE_MS).toISOString() };
      }),
    restoreMemories: (name) => stores.use(({ consolidations }) => consolidations.undo(name, signal())),
    consolidateUsers: () => pass(signal()),
  };
}
