import type { StepKind } from '../../src/contracts/http/run-events';

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

/** The activities by which a run counts its calls and keeps the order of its session. Readers of a log do not see them. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['recordToolCall', 'turnState', 'turnChange']);

/** @returns the kind of an activity's step; undefined for bookkeeping. Pure. */
export function stepKindOf(activityType: string): StepKind | undefined {
  return BOOKKEEPING.has(activityType) ? undefined : (KINDS[activityType] ?? 'other');
}
