import type { ToolDescription } from '../contracts/http/llm';
import type { CallerTool } from '../contracts/http/caller-tools';
import { agentToolName, type CallableAgent } from '../contracts/runs/agent-calls';

/** The arguments of a call of an agent. */
const QUERY_SCHEMA = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: 10_000,
      description: 'What it shall answer or do, with all that it has to know',
    },
  },
  required: ['query'],
  additionalProperties: false,
};

/** What a planner is offered besides registered tools. */
export interface OfferedBesides {
  readonly agents?: readonly CallableAgent[] | undefined;
  readonly callerTools?: readonly CallerTool[] | undefined;
}

/** Describes agents as the tools by which a planner calls them, and the tools of the caller. Pure. */
export function offeredBesides({ agents = [], callerTools = [] }: OfferedBesides): ToolDescription[] {
  const ofAgents = agents.map(({ id, description }) => ({
    name: agentToolName(id),
    description: `Asks the agent "${id}": ${description}`,
    inputSchema: QUERY_SCHEMA,
  }));
  return [...ofAgents, ...callerTools];
}
