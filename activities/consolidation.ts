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
import type { OpensMemory } from '../src/memory/create-memory-system';
import { UNDOABLE_MS } from '../src/memory/upkeep/archive';
import type { ConsolidationPass } from '../src/memory/upkeep/pass';

export interface ConsolidationActivitiesPorts {
  readonly memory: OpensMemory;
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
  memory,
  pass,
}: ConsolidationActivitiesPorts): ConsolidationActivities {
  const signal = (): AbortSignal => Context.current().cancellationSignal;
  return {
    planConsolidation: async ({ userId, ...options }) =>
      (await memory.open()).consolidations.plan(userId, options, signal()),
    archiveMemories: async (input) => (await memory.open()).consolidations.archive(input, signal()),
    storeSummaries: async (input) => (await memory.open()).consolidations.summarise(input),
    async finishConsolidation({ archived, ...name }) {
      const { at } = await (await memory.open()).consolidations.finish(name, archived);
      return { undoableUntil: new Date(at + UNDOABLE_MS).toISOString() };
    },
    restoreMemories: async (name) => (await memory.open()).consolidations.undo(name, signal()),
    consolidateUsers: () => pass(signal()),
  };
}
