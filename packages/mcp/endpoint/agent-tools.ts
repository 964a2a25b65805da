import type { Tool } from '@modelcontextprotocol/server';
import { newId, computeDigest } from '../../../src/base/ids';
import { isHoldfastError } from '../../../src/base/errors';
import type { AgentHead } from '../../../src/contracts/http/agents';
import { agentIdOf, agentToolName } from '../../../src/contracts/runs/agent-calls';
import { chosenIdSchema } from '../../../src/contracts/http/text-schema';
import { toAgentAnswer } from '../../../requests/answers/agent-answer';
import type { NamedAgents } from '../../../requests/agent-definitions';
import {
  type AgentRequest,
  type AgentRequestLimits,
  agentRequestSchemas,
} from '../../../requests/agent-requests';
import type { AgentRuns } from '../../../requests/agent-runs';
import { parseInput } from '../../../api/http/input';
import type { RequestContext } from '../../../api/http/route';
import type { McpTool, ToolSource } from './sources';
import { chooseUser } from './exchange';
import { checkArgumentNames } from './find-tool';

const ASK_AGENT: Tool = {
  name: 'ask_agent',
  description:
    'Answers a message: recalls what is known of the user, runs tools if the message needs them, and remembers.',
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

/** Creates the source of the service's own agent and of the named ones. Nothing has to be initialized before. */
export function agentTools(runs: AgentRuns, agents: NamedAgents, limits: AgentRequestLimits): ToolSource {
  const { execute } = agentRequestSchemas(limits);
  /** @param agent the id of a named agent; undefined for the service's own */
  const toMcpTool = (definition: Tool, agent?: string): McpTool => ({
    definition,
    workflowType: 'agentTurn',
    async call(args, context) {
      checkArgumentNames(definition, args);
      const { query, userId: named, sessionId = newSession(context) } = args;
      const userId = chooseUser(context.caller, named);
      const written = { query, options: { userId, sessionId, agent } };
      const request = parseInput(execute, written, 'arguments') as AgentRequest;
      return toAgentAnswer(await runs.execute(request, context), request.options);
    },
  });
  return {
    list: async () => [ASK_AGENT, ...(await agents.list()).map(toDefinition)],
    async find(name) {
      if (name === ASK_AGENT.name) return toMcpTool(ASK_AGENT);
      const id = agentIdOf(name) ?? '';
      const agent = await findAgent(agents, id);
      return agent === undefined ? undefined : toMcpTool(toDefinition(agent), id);
    },
  };
}

function toDefinition({ id, name, description }: Pick<AgentHead, 'id' | 'name' | 'description'>): Tool {
  return { ...ASK_AGENT, name: agentToolName(id), title: name, description };
}

/** @returns undefined if there is no such agent @throws HoldfastError as the store does */
async function findAgent(agents: NamedAgents, id: string): Promise<AgentHead | undefined> {
  if (!chosenIdSchema.safeParse(id).success) return undefined;
  try {
    return await agents.get(id);
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'AGENT_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The same session for each repeat of a call, since a request under the same key has to be the same. */
function newSession({ idempotencyKey }: Pick<RequestContext, 'idempotencyKey'>): string {
  return `mcp-${idempotencyKey === undefined ? newId() : computeDigest(idempotencyKey).slice(0, 32)}`;
}
