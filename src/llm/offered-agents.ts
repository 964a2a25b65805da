import type { ToolDescription } from '../contracts/http/llm';
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

/** Describes agents as the tools by which a planner calls them. Pure. */
export function toolsOfAgents(agents: readonly CallableAgent[]): ToolDescription[] {
  return agents.map(({ id, description }) => ({
    name: agentToolName(id),
    description: `Asks the agent "${id}": ${description}`,
    inputSchema: QUERY_SCHEMA,
  }));
}
