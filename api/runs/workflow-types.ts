import type * as workflows from '../../workflows';

/** Every workflow of the service. The compiler refuses a list that is not that of `workflows/index.ts`. */
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

/** The types of the runs that the service may tell of. */
export const WORKFLOW_TYPES: ReadonlySet<string> = new Set(Object.keys(IS_OURS));
