/** What runs of each type do, for those that are not named after a tool or a workflow. */
const TYPES: Readonly<Record<string, string>> = {
  agentSelfTest: 'self-test of the agent',
  agentTurn: 'agent turn',
  classifyBatch: 'classifications',
  consolidateAllUsers: 'consolidation of all users',
  consolidateMemories: 'consolidation',
  customWorkflow: 'workflow',
  drawFacts: 'facts',
  eraseUserMemories: 'erasure',
  executeTool: 'tool',
  executeToolFromQuery: 'tool by query',
  executeToolsInParallel: 'parallel calls',
  executeToolsInSequence: 'sequence',
  importMemories: 'import of memories',
  importRecords: 'import of records',
  mcpExecution: 'planned calls',
  memoryChatTurn: 'memory chat',
  queryWorkflow: 'planned workflow',
  redrawFacts: 'facts',
  reindexMemories: 'reindexing',
  undoConsolidation: 'undone consolidation',
};

export interface NamedRun {
  readonly type: string;
  readonly workflowId: string;
  readonly tools?: readonly string[] | undefined;
}

export const typeInWords = (type: string): string => TYPES[type] ?? type;

/** Names after which a run of one of these types is called. */
const NAMED = new Set(['executeTool', 'executeToolFromQuery', 'customWorkflow']);

/**
 * Says what a run ran: its tool or its workflow, which its workflow id names unless a caller has chosen it, else its tools. Pure.
 * @returns undefined if only its type is known
 */
export function nameOfRun({ type, workflowId, tools = [] }: NamedRun): string | undefined {
  const [, name = ''] = workflowId.split('/');
  if (NAMED.has(type) && name !== '' && !name.startsWith('key-') && workflowId.split('/').length > 2)
    return name;
  const some = tools.slice(0, 3).join(', ');
  return some === '' ? undefined : `${some}${tools.length > 3 ? ', …' : ''}`;
}
