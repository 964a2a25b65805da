import type { z } from 'zod';
import {
  agentAnswerSchema,
  agentStatusSchema,
  selfTestReportSchema,
  AGENT_CAPABILITIES,
} from '../../src/contracts/http/agent';
import type { ToolRegistry } from '../../src/tools/registry';
import { toAgentAnswer } from '../../requests/answers/agent-answer';
import { type AgentRequestLimits, agentRequestSchemas } from '../../requests/agent-requests';
import type { AgentRuns } from '../../requests/agent-runs';
import type { SelfTestReport } from '../../requests/answers/self-test-report';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith, type RequestContext } from '../http/route';
import { asQueryProblem } from '../http/input';
import { currentModel, type ModelProviders } from '../../src/llm/model-providers';
import type { StoreConfiguration } from '../../src/memory/stores/configuration';

/** What the routes of the agent need of the caller's tenant. */
export interface AgentServices {
  readonly registry: Pick<ToolRegistry, 'list'>;
  readonly runs: {
    readonly agent: AgentRuns;
    readonly selfTest: (context: RequestContext) => Promise<SelfTestReport>;
  };
}

const { defineRoute } = routesWith<AgentServices>();

const TAG = 'Agent';

/** The routes of the agent, which answers any message of a user. */
export function agentRoutes(
  { configuration, models }: AgentStatusPorts,
  limits: AgentRequestLimits,
): AnyRoute<AgentServices>[] {
  const checkReady = (): Promise<void> => configuration.requireInitialized('agent');
  const requests = agentRequestSchemas(limits);
  return [
    defineRoute({
      method: 'post',
      path: '/api/agent/execute',
      ...documentedAs('executeAgent'),
      access: 'run',
      tag: TAG,
      summary: 'Answer a message: classify it, recall memories, run tools, answer and remember',
      description:
        'Turns of one session run one after another, in the order of their requests. Where too many of them wait (`SESSION_MAX_WAITING_TURNS`) another request is answered with 429 and `Retry-After`. While a turn waits for an approval, others are answered with 409, unless they say `options.onWaiting: "queue"`.',
      message: ({ intent }) => `Query executed successfully (${intent.type})`,
      startsRun: true,
      request: { body: requests.execute },
      response: agentAnswerSchema,
      onInvalid: asQueryProblem('AGENT_QUERY_INVALID'),
      checkReady,
      handler: async ({ body }, context) =>
        toAgentAnswer(await context.services.runs.agent.execute(body, context), body.options),
    }),
    defineRoute({
      method: 'get',
      path: '/api/agent/status',
      ...documentedAs('getAgentStatus'),
      access: 'read',
      tag: TAG,
      summary: 'State of the agent and of its stores, which are checked for each request',
      message: 'Agent status retrieved successfully',
      request: {},
      response: agentStatusSchema,
      handler: (_input, { services }) => readAgentStatus({ configuration, models }, services.registry),
    }),
    defineRoute({
      method: 'post',
      path: '/api/agent/test',
      ...documentedAs('testAgent'),
      access: 'run',
      tag: TAG,
      summary: 'Test the agent with messages whose intents are known',
      description: 'The turns are real ones of a separate user, whose memories are erased at the end.',
      message: ({ summary }) => `Agent test completed with ${Math.round(summary.accuracy * 100)}% accuracy`,
      startsRun: true,
      request: {},
      response: selfTestReportSchema,
      checkReady,
      handler: (_input, context) => context.services.runs.selfTest(context),
    }),
  ];
}

interface AgentStatusPorts {
  readonly configuration: Pick<StoreConfiguration, 'isInitialized' | 'connectivity' | 'requireInitialized'>;
  readonly models: Pick<ModelProviders, 'default' | 'list' | 'resolve'>;
}

type AgentStatus = z.input<typeof agentStatusSchema>;

/** Reads the state of the agent, and checks its stores. @throws HoldfastError `STORE_UNAVAILABLE` */
async function readAgentStatus(
  { configuration, models }: AgentStatusPorts,
  registry: Pick<ToolRegistry, 'list'>,
): Promise<AgentStatus> {
  const [initialized, { graphdb, vectordb }, tools] = await Promise.all([
    configuration.isInitialized('agent'),
    configuration.connectivity(),
    registry.list(),
  ]);
  const isAllReached = graphdb.reason === undefined && vectordb.reason === undefined;
  const reasons = { graphdb: graphdb.reason, vectordb: vectordb.reason };
  return {
    initialized,
    capabilities: initialized ? [...AGENT_CAPABILITIES] : [],
    memoryService: {
      graphdb: graphdb.state,
      vectordb: vectordb.state,
      reasons: isAllReached ? undefined : reasons,
    },
    toolRegistry: { totalTools: tools.length, availableTools: tools.map(({ name }) => name) },
    llmService: { providers: [...models.list()], currentModel: currentModel(models) },
  };
}
