import { z } from 'zod';
import type { StoredAgent } from '../../src/agents/agent-store';
import { agentHeadSchema, keptVersionSchema } from '../../src/contracts/http/agents';
import { chosenIdSchema } from '../../src/contracts/http/text-schema';
import type { AnswerSchemas } from '../../src/llm/answer-schemas';
import type { ModelProviders } from '../../src/llm/model-providers';
import type { ToolRegistry } from '../../src/tools/registry';
import {
  type AgentDefinition,
  type AgentDefinitionLimits,
  agentDefinitionSchema,
  checkAgentDefinition,
  type NamedAgents,
} from '../../requests/agent-definitions';
import type { BudgetPolicies } from '../../requests/budget-policies';
import { turnModelChooser } from '../../requests/choose-model';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';

/** What the routes of named agents need of the caller's tenant. */
export interface NamedAgentServices {
  readonly agents: NamedAgents;
  readonly registry: Pick<ToolRegistry, 'list'>;
  readonly answerSchemas: Pick<AnswerSchemas, 'findFault'>;
  readonly budgets: Pick<BudgetPolicies, 'check'>;
}

const { defineRoute } = routesWith<NamedAgentServices>();

const TAG = 'Agents';
const PATH = '/api/agents/:id';
const params = z.object({ id: chosenIdSchema });
const versionQuery = z.strictObject({
  version: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('A version that is kept; default: the current one'),
});
/** Callers of one user may not change what answers all users of the tenant. */
const WRITING = { access: 'tools', concerns: 'tenant' } as const;

/** The routes that store, show and delete named agents, which `options.agent` of a turn names. */
export function namedAgentRoutes(
  models: ModelProviders,
  limits: AgentDefinitionLimits,
): AnyRoute<NamedAgentServices>[] {
  const chooseModel = turnModelChooser(models);
  const definitionSchema = agentDefinitionSchema(limits);
  const agentSchema = agentHeadSchema.extend(definitionSchema.shape).extend({
    versions: z.array(keptVersionSchema).readonly().describe('All that are kept, the oldest first'),
  });
  const toView = ({ definition, ...stored }: StoredAgent<AgentDefinition>): z.input<typeof agentSchema> => ({
    ...stored,
    ...definition,
  });

  return [
    defineRoute({
      method: 'put',
      path: PATH,
      ...documentedAs('putAgent'),
      ...WRITING,
      tag: TAG,
      summary: 'Store an agent, or its next version',
      description:
        'The agent answers turns that name it in `options.agent`, and is offered at /mcp as `agent_<id>`. Turns keep the version that they began with. A definition that is equal to the current one makes no version; the last 20 are kept.',
      message: ({ id, version }) => `Agent "${id}" stored as version ${version}`,
      request: { params, body: definitionSchema },
      response: agentSchema,
      async handler({ params: { id }, body: definition }, { services, signal }) {
        await checkAgentDefinition(id, definition, { ...services, chooseModel, signal: signal() });
        return toView(await services.agents.put(id, definition));
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/agents',
      ...documentedAs('listAgents'),
      access: 'read',
      tag: TAG,
      summary: 'All named agents, by id',
      message: ({ agents }) => `Found ${agents.length} agents`,
      request: {},
      response: z.object({ agents: z.array(agentHeadSchema) }),
      handler: async (_input, { services: { agents } }) => ({ agents: await agents.list() }),
    }),
    defineRoute({
      method: 'get',
      path: PATH,
      ...documentedAs('getAgent'),
      access: 'read',
      tag: TAG,
      summary: 'One agent, with its instructions',
      message: 'Agent retrieved successfully',
      request: { params, query: versionQuery },
      response: agentSchema,
      handler: async ({ params: { id }, query: { version } }, { services: { agents } }) =>
        toView(await agents.get(id, version)),
    }),
    defineRoute({
      method: 'delete',
      path: PATH,
      ...documentedAs('deleteAgent'),
      ...WRITING,
      tag: TAG,
      summary: 'Delete an agent with all its versions; runs in progress continue',
      message: ({ id }) => `Agent "${id}" deleted`,
      request: { params },
      response: z.object({ id: z.string() }),
      async handler({ params: { id } }, { services: { agents } }) {
        await agents.remove(id);
        return { id };
      },
    }),
  ];
}
