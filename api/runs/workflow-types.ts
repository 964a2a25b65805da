import type * as workflows from '../../workflows';

/** Every workflow of the service. The compiler rejects a list that differs from `workflows/index.ts`. */
const IS_OURS: Readonly<Record<keyof typeof workflows, true>> = {
  agentSelfTest: true,
  agentTurn: true,
  classifyBatch: true,
  customWorkflow: true,
  eraseUserMemories: true,
  executeTool: true,
  executeToolFromQuery: true,
  executeToolsInParallel: true,
  executeToolsInSequence: true,
  importRecords: true,
  mcpExecution: true,
  memoryChatTurn: true,
  queryWorkflow: true,
  reindexMemories: true,
};

/** The types of the runs that `GET /api/runs` may show. */
export const WORKFLOW_TYPES: ReadonlySet<string> = new Set(Object.keys(IS_OURS));
