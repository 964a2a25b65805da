import type { Tool } from '@modelcontextprotocol/server';
import { computeDigest } from '../../src/base/digest';
import { newId } from '../../src/base/ids';
import { toAgentAnswer } from '../agent/agent-answer';
import { type AgentRequest, type AgentRequestLimits, agentRequestSchemas } from '../agent/agent-requests';
import type { AgentRuns } from '../agent/agent-runs';
import { parseInput } from '../http/input';
import type { RequestContext } from '../http/route';
import { chooseUser } from './caller-user';
import { checkArgumentNames } from './check-arguments';
import { sourceOf, type ToolSource } from './tool-source';

const ASK_AGENT: Tool = {
  name: 'ask_agent',
  description:
    'Answers a message: recalls what is known of the user, runs tools where the message needs them, and remembers.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'The message' },
      userId: {
        type: 'string',
        description: 'Whose message it is; needed unless the key belongs to one user',
      },
      sessionId: { type: 'string', description: 'The conversation; absent: a new one' },
    },
    required: ['query'],
    additionalProperties: false,
  },
};

/** Creates the source of the agent. Nothing has to be initialized before. */
export function agentTool(runs: AgentRuns, limits: AgentRequestLimits): ToolSource {
  const { execute } = agentRequestSchemas(limits);
  return sourceOf([
    {
      definition: ASK_AGENT,
      workflowType: 'agentTurn',
      async call(args, context) {
        checkArgumentNames(ASK_AGENT, args);
        const { query, userId: named, sessionId = newSession(context) } = args;
        const userId = chooseUser(context.caller, named);
        const asked = { query, options: { userId, sessionId } };
        const request = parseInput(execute, asked, 'arguments') as AgentRequest;
        return toAgentAnswer(await runs.execute(request, context), request.options);
      },
    },
  ]);
}

/** The same session for each repeat of a call, since a request under the same key has to be the same. */
function newSession({ idempotencyKey }: Pick<RequestContext, 'idempotencyKey'>): string {
  return `mcp-${idempotencyKey === undefined ? newId() : computeDigest(idempotencyKey).slice(0, 32)}`;
}
