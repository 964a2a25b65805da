import { z } from 'zod';
import type { ToolDescription } from '../../src/contracts/http/llm';
import { toolDefinitionSchema, toolSchema, toolStatisticsSchema } from '../../src/contracts/http/tools';
import { readInputSchema, toDefinition, toTypeNames } from '../../src/tools/parameters';
import type { SchemaChecks } from '../../src/sandbox/schema-checks';
import { checkSchema } from '../../src/tools/check-schema';
import { callMarks } from '../../src/tools/call-marks';
import type { ToolRegistry } from '../../src/tools/registry';
import type { ToolStatisticsStore } from '../../src/tools/statistics';
import { type ImplementationPorts, readImplementation } from './read-implementation';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { unknownTool } from '../../requests/prepare-calls';
import { type ToolRequestLimits, toolRequestSchemas } from '../../requests/tool-requests';

/** What the routes of the registry need of the caller's tenant. */
export interface ToolServices {
  readonly registry: ToolRegistry;
  readonly schemaChecks: SchemaChecks;
  readonly statistics: Pick<ToolStatisticsStore, 'read'>;
}

const { defineRoute } = routesWith<ToolServices>();

const TAG = 'Tools';
const REGISTER = '/api/tools/register';

function toView(tool: ToolDescription): z.infer<typeof toolSchema> {
  const { name, description, inputSchema, outputSchema } = tool;
  return {
    name,
    description,
    parameters: toTypeNames(inputSchema),
    inputSchema,
    outputSchema,
    ...callMarks(tool),
  };
}

/** The routes of the tool registry: list, definitions, statistics, register, remove. */
export function toolRoutes(ports: ImplementationPorts, limits: ToolRequestLimits): AnyRoute<ToolServices>[] {
  const requests = toolRequestSchemas(limits);

  return [
    defineRoute({
      method: 'get',
      path: '/api/tools',
      ...documentedAs('listTools'),
      access: 'read',
      tag: TAG,
      summary: 'All tools, by name',
      message: 'Tools retrieved successfully',
      request: {},
      response: z.array(toolSchema),
      handler: async (_input, { services }) => (await services.registry.list()).map(toView),
    }),
    defineRoute({
      method: 'get',
      path: '/api/tools/stats',
      ...documentedAs('getToolStatistics'),
      access: 'read',
      tag: TAG,
      summary: 'Statistics of all tool calls',
      message: 'Tool statistics retrieved successfully',
      request: {},
      response: toolStatisticsSchema,
      handler: async (_input, { services: { statistics, registry } }) => {
        const [figures, totalTools] = await Promise.all([statistics.read(), registry.count()]);
        return { ...figures, totalTools };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/tools/definitions',
      ...documentedAs('listToolDefinitions'),
      access: 'read',
      tag: TAG,
      summary: 'All tools as definitions for function calling',
      message: 'Tool definitions retrieved successfully',
      request: {},
      response: z.array(toolDefinitionSchema),
      handler: async (_input, { services }) => (await services.registry.list()).map(toDefinition),
    }),
    defineRoute({
      method: 'get',
      path: '/api/tools/:toolName',
      ...documentedAs('getTool'),
      access: 'read',
      linkedFrom: [REGISTER],
      tag: TAG,
      summary: 'One tool',
      message: 'Tool retrieved successfully',
      request: { params: requests.byName },
      response: toolSchema,
      handler: async ({ params }, { services }) => {
        const tool = await services.registry.get(params.toolName);
        if (tool === undefined) throw unknownTool(params.toolName);
        return toView(tool);
      },
    }),
    defineRoute({
      method: 'post',
      path: REGISTER,
      ...documentedAs('registerTool'),
      access: 'tools',
      idIn: 'name',
      tag: TAG,
      summary: 'Register a tool, or replace the tool of the same name',
      description:
        '`execute` is JavaScript source that runs in a sandbox without access to the host; `http` is a request to a server of ' +
        'yours, `activity` and `workflow` are run by a worker of yours. Without any of them the tool is a definition, which a ' +
        'planner may choose but which cannot be run.',
      status: 201,
      message: 'Tool registered successfully',
      request: { body: requests.register },
      response: toolSchema,
      handler: async ({ body }, { owner, signal, services: { schemaChecks, registry } }) => {
        const { name, description, requiresApproval, annotations } = body;
        const inputSchema = readInputSchema(body.parameters);
        await checkSchema(schemaChecks.of(owner), name, inputSchema, 'parameters', signal());
        const implementation = await readImplementation(ports, body, inputSchema, owner);
        const registration = {
          name,
          description,
          inputSchema,
          implementation,
          requiresApproval,
          annotations,
        };
        return toView(await registry.register(registration));
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/tools/clear',
      ...documentedAs('clearTools'),
      access: 'tools',
      tag: TAG,
      summary: 'Remove all tools, including the built-in ones',
      message: 'Tools cleared successfully',
      request: {},
      response: z.object({ cleared: z.number() }),
      handler: async (_input, { services }) => ({ cleared: await services.registry.clear() }),
    }),
    defineRoute({
      method: 'post',
      path: '/api/tools/restore',
      ...documentedAs('restoreTools'),
      access: 'tools',
      tag: TAG,
      summary: 'Bring back built-in tools that were removed',
      message: 'Built-in tools restored successfully',
      request: {},
      response: z.object({ restored: z.array(z.string()) }),
      handler: async (_input, { services }) => ({ restored: await services.registry.restoreBuiltins() }),
    }),
    defineRoute({
      method: 'delete',
      path: '/api/tools/:toolName',
      ...documentedAs('removeTool'),
      access: 'tools',
      linkedFrom: [REGISTER],
      tag: TAG,
      summary: 'Remove a tool; runs in progress keep it',
      message: 'Tool removed successfully',
      request: { params: requests.byName },
      response: z.object({ name: z.string() }),
      handler: async ({ params: { toolName } }, { services }) => {
        if (!(await services.registry.remove(toolName))) throw unknownTool(toolName);
        return { name: toolName };
      },
    }),
  ];
}
