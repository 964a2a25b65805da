import type * as workflows from '../workflows';

/**
 * Every workflow of the service, and whether its runs are shown as runs: an approval is shown as part of the run that
 * waits for it, and webhooks have a list of their own. The compiler rejects a list that differs from `workflows/index.ts`.
 */
const IS_SHOWN: Readonly<Record<keyof typeof workflows, boolean>> = {
  agentSelfTest: true,
  agentTurn: true,
  approval: false,
  callExternal: false,
  classifyBatch: true,
  consolidateAllUsers: true,
  consolidateMemories: true,
  customWorkflow: true,
  drawFacts: true,
  eraseUserMemories: true,
  executeTool: true,
  executeToolFromQuery: true,
  executeToolsInParallel: true,
  executeToolsInSequence: true,
  importMemories: true,
  importRecords: true,
  mcpExecution: true,
  memoryChatTurn: true,
  queryWorkflow: true,
  redrawFacts: true,
  reindexMemories: true,
  scheduledRun: false,
  undoConsolidation: true,
  webhookDelivery: false,
  webhookFeed: false,
};

/** The types of the runs that `GET /api/runs` may show. */
export const WORKFLOW_TYPES: ReadonlySet<string> = new Set(
  Object.entries(IS_SHOWN).flatMap(([type, isShown]) => (isShown ? [type] : [])),
);
