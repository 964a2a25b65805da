import type { RouteExample } from './route';

/** A user of the examples, whom the examples of erasing leave alone. */
const USER = 'ada';
const SESSION = 'first-day';
const ONE = { userId: USER, sessionId: SESSION };
const BY_USER = { params: { userId: USER } };
const BY_RUN: RouteExample = { from: { traceId: ['executeTool', '$response.header.X-Trace-Id'] } };
const BY_SCHEDULE = { params: { id: 'nightly-sum' } };
const BY_STEP: RouteExample = { ...BY_RUN, params: { stepId: '1' } };
const BY_APPROVAL: RouteExample = {
  from: { approvalId: ['listApprovals', '$response.body#/data/approvals/0/id'] },
};
const BY_FACT: RouteExample = {
  ...BY_USER,
  from: { factId: ['listFacts', '$response.body#/data/facts/0/id'] },
};

const ADD = { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } };
const ADDING_STEP = { id: 'add', type: 'tool_execution', config: ADD };
const DOUBLING_STEP = {
  id: 'double',
  type: 'tool_execution',
  config: { toolName: 'calculator', args: { operation: 'multiply', a: '{{add.result.result}}', b: 2 } },
};

/**
 * What the documentation tries each operation of the main API with, by operation id. On a fresh service they succeed in an order in
 * which what is read was made before. Ids that the service makes come from an earlier answer (`from`).
 */
export const EXAMPLES = {
  listTools: {},
  getToolStatistics: {},
  listToolDefinitions: {},
  getTool: { params: { toolName: 'calculator' } },
  registerTool: {
    body: {
      name: 'initials',
      description: 'The initials of a name',
      parameters: { name: { type: 'string', description: 'First and last name' } },
      execute: "({ name }) => name.split(' ').map((word) => word[0]).join('')",
    },
  },
  clearTools: {},
  restoreTools: {},
  removeTool: { params: { toolName: 'initials' } },
  executeTool: { body: ADD },
  executeTools: {
    body: { tools: [ADD, { toolName: 'calculator', args: { operation: 'divide', a: 1, b: 4 } }] },
  },
  executeToolSequence: {
    body: {
      tools: [
        ADD,
        { toolName: 'calculator', args: { operation: 'multiply', a: '{{previous_result.result}}', b: 2 } },
      ],
    },
  },
  executeToolWithLlm: { body: { toolName: 'calculator', query: 'What is 6 times 7?' } },
  executeToolsByQuery: { body: { query: 'Add 2 and 3, then multiply the result by 4' } },

  listMcpServers: {},
  addMcpServer: {
    body: { name: 'shop', url: 'http://127.0.0.1:3900/mcp' },
    further: {
      'wants a login': { name: 'wiki', url: 'http://127.0.0.1:3901/mcp', auth: { type: 'oauth' } },
    },
  },
  getMcpServer: { params: { name: 'shop' } },
  removeMcpServer: { params: { name: 'shop' } },
  refreshMcpServer: { params: { name: 'shop' } },
  confirmMcpServer: { params: { name: 'shop' }, body: {} },
  loginMcpServer: { params: { name: 'wiki' } },

  executeWorkflow: { body: { query: 'Add 2 and 3, then multiply the result by 4' } },
  executeCustomWorkflow: {
    body: { workflow: { name: 'Add and double', steps: [ADDING_STEP, DOUBLING_STEP] } },
    further: {
      stored: { workflowId: 'add-and-double', inputs: { a: 2, b: 3 } },
      'waits for an approval': {
        workflow: { name: 'Add and double', steps: [ADDING_STEP, { ...DOUBLING_STEP, approval: true }] },
      },
    },
  },
  validateWorkflow: {
    body: { workflow: { name: 'Add and double', steps: [ADDING_STEP, DOUBLING_STEP] } },
    further: {
      'with mistakes': { workflow: { name: 'Add', steps: [{ ...ADDING_STEP, type: 'tool', timeuot: 5 }] } },
    },
  },
  listWorkflows: {},
  getWorkflow: { params: { id: 'add-and-double' } },
  storeWorkflow: {
    body: {
      id: 'add-and-double',
      name: 'Add and double',
      inputs: { a: { description: 'The first number' }, b: { description: 'The second number' } },
      steps: [
        {
          ...ADDING_STEP,
          config: { toolName: 'calculator', args: { operation: 'add', a: '{{a}}', b: '{{b}}' } },
        },
        DOUBLING_STEP,
      ],
    },
  },
  removeWorkflow: { params: { id: 'add-and-double' } },

  initializeIntentClassifier: { body: {} },
  classifyIntent: { body: { query: 'What did I tell you about Lisbon?', options: ONE } },
  classifyIntents: {
    body: {
      queries: [
        { id: 'sum', query: 'What is 6 times 7?', options: ONE },
        { id: 'greeting', query: 'Good morning!', options: ONE },
      ],
    },
  },
  listIntentTypes: {},
  getIntentStatistics: {},

  createEpisodicMemory: {
    body: {
      ...ONE,
      content: 'I live in Lisbon, and I prefer tea',
      metadata: { importance: 0.8, tags: ['home'] },
    },
  },
  searchEpisodicMemories: { body: { userId: USER, tags: ['home'] } },
  getEpisodicMemory: {},
  updateEpisodicMemory: { body: { metadata: { importance: 0.9 } } },
  deleteEpisodicMemory: {},
  createSemanticMemory: {
    body: {
      userId: USER,
      concept: 'Lisbon',
      description: 'The capital of Portugal',
      metadata: { category: 'places' },
    },
  },
  searchSemanticMemories: { body: { userId: USER, query: 'the capital of Portugal' } },
  getSemanticMemory: {},
  updateSemanticMemory: { body: { description: 'The capital and largest city of Portugal' } },
  deleteSemanticMemory: {},
  searchMemories: { body: { userId: USER, query: 'Where do I live?' } },
  getMemoryContext: { params: ONE },
  getMemoryStatistics: BY_USER,
  listRelatedMemories: {},
  listMemories: BY_USER,
  listMemoryUsers: {},
  listMemorySessions: BY_USER,
  listFacts: BY_USER,
  getMemoryGraph: BY_USER,
  correctFact: { ...BY_FACT, body: { value: 'Porto' } },
  retractFact: BY_FACT,
  exportMemories: BY_USER,
  exportMemoriesByQuery: { query: { userId: USER } },
  uploadFile: { query: { userId: USER, name: 'prices.csv' }, body: 'fruit,price\napple,2\npear,3' },
  getFile: { query: { userId: USER }, from: { id: ['uploadFile', '$response.body#/data/id'] } },
  deleteFile: { query: { userId: USER }, from: { id: ['uploadFile', '$response.body#/data/id'] } },
  importMemories: {
    ...BY_USER,
    body: [
      { role: 'user', content: 'I moved to Porto', timestamp: '2024-05-04T09:00:00Z', sessionId: 'moving' },
      {
        role: 'assistant',
        content: 'Welcome there!',
        timestamp: '2024-05-04T09:00:05Z',
        sessionId: 'moving',
      },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  },
  getMemoryImport: { ...BY_USER, from: { importId: ['importMemories', '$response.body#/data/id'] } },
  eraseMemories: { params: { userId: 'user-to-erase' } },
  eraseMemoriesByQuery: { query: { userId: 'another-user-to-erase' } },
  getErasureReceipt: { from: { id: ['eraseMemories', '$response.body#/data/receipt'] } },
  reindexMemories: { body: {} },
  consolidateMemories: { ...BY_USER, body: {} },
  listConsolidations: BY_USER,
  undoConsolidation: {
    ...BY_USER,
    from: { id: ['listConsolidations', '$response.body#/data/consolidations/0/id'] },
    body: {},
  },

  initializeAgent: { body: {} },
  executeAgent: { body: { query: 'My name is Ada and I live in Lisbon', options: ONE } },
  getAgentStatus: {},
  testAgent: {},

  putAgent: {
    params: { id: 'clerk' },
    body: {
      name: 'Clerk',
      description: 'Calculates prices, and nothing else',
      instructions: 'You are the clerk of a small shop. Answer in one sentence.',
      tools: ['calculator'],
    },
  },
  listAgents: {},
  getAgent: { params: { id: 'clerk' } },
  deleteAgent: { params: { id: 'clerk' } },

  initializeMemoryChat: { body: {} },
  sendChatMessage: { body: { ...ONE, message: 'Where do I live?' } },
  enhanceContext: { body: { ...ONE, query: 'Where do I live?' } },
  getChatHistory: { params: ONE },
  searchChatMemories: { body: { userId: USER, query: 'Where do I live?' } },
  getMemoryInsights: BY_USER,
  createKnowledge: {
    body: { userId: USER, concept: 'Porto', description: 'A city on the Douro', category: 'places' },
  },
  searchKnowledge: { body: { userId: USER, query: 'a city on a river' } },
  getKnowledge: {},
  updateKnowledge: { body: { description: 'A city on the river Douro' } },
  deleteKnowledge: {},

  putHook: {
    params: { id: 'shop' },
    body: { workflowId: 'compare-endpoints', verify: 'token', secret: 'a-long-secret-of-the-shop' },
  },
  listHooks: {},
  getHook: { params: { id: 'shop' } },
  deleteHook: { params: { id: 'shop' } },
  createSchedule: {
    body: {
      id: 'nightly-sum',
      spec: { cron: ['30 2 * * *'], timeZone: 'Europe/Berlin' },
      action: { type: 'tool', request: ADD },
    },
  },
  listSchedules: {},
  getSchedule: BY_SCHEDULE,
  updateSchedule: { ...BY_SCHEDULE, body: { overlap: 'bufferOne' } },
  pauseSchedule: { ...BY_SCHEDULE, body: { reason: 'while the shop is closed' } },
  resumeSchedule: BY_SCHEDULE,
  triggerSchedule: BY_SCHEDULE,
  backfillSchedule: { ...BY_SCHEDULE, body: { from: '2026-11-01T00:00:00Z', to: '2026-11-03T00:00:00Z' } },
  deleteSchedule: BY_SCHEDULE,
  listRuns: {},
  getUsage: {},
  getRun: BY_RUN,
  waitForRun: BY_RUN,
  getRunEvents: BY_RUN,
  rerunRun: {
    from: { traceId: ['executeCustomWorkflow', '$response.header.X-Trace-Id'] },
    body: { fromStep: 'double' },
  },
  getRunInput: BY_RUN,
  getRunStep: BY_STEP,
  getRunStepInput: BY_STEP,
  getRunStepOutput: BY_STEP,
  createRunToken: BY_RUN,
  cancelRun: { ...BY_RUN, body: {} },
  terminateRun: { ...BY_RUN, body: { reason: 'not needed any more' } },

  listApprovals: { query: { status: 'pending' } },
  getApproval: BY_APPROVAL,
  createApprovalLink: { ...BY_APPROVAL, body: { by: USER } },
  answerApproval: { ...BY_APPROVAL, body: { decision: 'approve', comment: 'go ahead', by: USER } },

  listDeliveries: { query: { status: 'delivered' } },
  resendDelivery: {
    from: { deliveryId: ['listDeliveries', '$response.body#/data/deliveries/0/id'] },
  },

  getHealth: {},
  getDetailedHealth: {},

  getCaller: {},
  listKeys: {},
  createKey: { body: { name: 'reports', scopes: ['read'] } },
  rotateKey: {},
  revokeKey: {},
} as const satisfies Readonly<Record<string, RouteExample>>;

export type OperationId = keyof typeof EXAMPLES;

/** The operation id of a route of the main API, with its example. */
export function documentedAs(operationId: OperationId): {
  readonly operationId: string;
  readonly example: RouteExample;
} {
  return { operationId, example: EXAMPLES[operationId] };
}
