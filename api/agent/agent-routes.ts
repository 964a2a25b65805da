import { agentAnswerSchema, agentStatusSchema, selfTestReportSchema } from '../../src/contracts/http/agent';
import { toAgentAnswer } from './agent-answer';
import { type AgentRequestLimits, agentRequestSchemas } from './agent-requests';
import type { AgentRuns } from './agent-runs';
import type { AgentStatus } from './agent-status';
import type { SelfTestReport } from './self-test-report';
import { asQueryProblem } from '../http/query-problem';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute, type RequestContext } from '../http/route';

export interface AgentRoutesPorts {
  readonly runs: AgentRuns;
  readonly selfTest: (context: RequestContext) => Promise<SelfTestReport>;
  readonly status: () => Promise<AgentStatus>;
  /** @throws HoldfastError `AGENT_NOT_INITIALIZED` */
  readonly checkInitialized: () => Promise<void>;
  readonly limits: AgentRequestLimits;
}

const TAG = 'Agent';

/** The routes of the agent, which answers any message of a user. */
export function agentRoutes({
  runs,
  selfTest,
  status,
  checkInitialized,
  limits,
}: AgentRoutesPorts): AnyRoute[] {
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
      handler: async ({ body }, context) => {
        await checkInitialized();
        const result = await runs.execute(body, context);
        return toAgentAnswer(result, body.options);
      },
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
      handler: status,
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
      handler: async (_, context) => {
        await checkInitialized();
        return selfTest(context);
      },
    }),
  ];
}
