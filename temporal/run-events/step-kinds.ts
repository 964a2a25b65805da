import type { StepKind } from '../../src/contracts/http/run-events';
import { BOOKKEEPING } from '../../src/contracts/runs/summaries';

/** The activities that are steps of a run, by their names in histories. */
const KINDS: Readonly<Record<string, StepKind>> = {
  runTool: 'tool',
  runLightTools: 'tool',
  plan: 'model',
  generate: 'model',
  answerTurn: 'model',
  classifyTurn: 'model',
  classifyPart: 'model',
  recallMemories: 'memory',
  storeMessages: 'memory',
  describeMemories: 'memory',
  beginErasure: 'memory',
  eraseRuns: 'memory',
  eraseStep: 'memory',
  finishErasure: 'memory',
  planConsolidation: 'memory',
  archiveMemories: 'memory',
  storeSummaries: 'memory',
  finishConsolidation: 'memory',
  restoreMemories: 'memory',
  consolidateUsers: 'memory',
  redrawFacts: 'memory',
  openReindex: 'memory',
  reindexPage: 'memory',
  switchVectorSpace: 'memory',
  importMemoriesStep: 'memory',
  reindexWords: 'memory',
  importStep: 'records',
};

/** @returns the kind of an activity's step; undefined for bookkeeping. Pure. */
export function stepKindOf(activityType: string): StepKind | undefined {
  return BOOKKEEPING.has(activityType) ? undefined : (KINDS[activityType] ?? 'other');
}
