import { z } from 'zod';
import {
  mcpServerNameSchema,
  mcpServerSchema,
  newMcpServerSchema,
} from '../../../src/contracts/http/mcp-servers';
import { checkAccess } from '../../../api/http/access';
import { documentedAs } from '../../../api/http/examples';
import { type AnyRoute, routesWith } from '../../../api/http/route';
import { type LoginPorts, mcpLoginRoute, type McpServerServices } from './login-route';

const { defineRoute } = routesWith<McpServerServices>();

const TAG = 'MCP servers';
const ROOT = '/api/mcp-servers';
const ONE = `${ROOT}/:name`;
const params = z.object({ name: z.string() });

/** The routes that manage remote MCP servers, whose tools are tools of the service. */
export function mcpServerRoutes(login: LoginPorts): AnyRoute<McpServerServices>[] {
  return [
    defineRoute({
      method: 'get',
      path: ROOT,
      ...documentedAs('listMcpServers'),
      access: 'read',
      tag: TAG,
      summary: 'All remote MCP servers, by name',
      description: 'The descriptions of tools that wait to be confirmed are left out; one server has them.',
      message: 'MCP servers retrieved successfully',
      request: {},
      response: z.object({ servers: z.array(mcpServerSchema), total: z.int() }),
      handler: async (_input, { services }) => {
        const all = await services.mcp.servers.list();
        return { servers: all, total: all.length };
      },
    }),
    defineRoute({
      method: 'post',
      path: ROOT,
      ...documentedAs('addMcpServer'),
      access: 'tools',
      idIn: 'name',
      tag: TAG,
      summary: 'Add a remote MCP server, or replace that of the same name, and use its tools',
      description:
        'The service lists the tools of the server and registers each as `name.tool`. Tools that appear or change later ' +
        'are used only once they are confirmed. The tools of a server with `auth` are listed once a person has logged in. A server by `command` needs the scope `admin` too. The example needs a server at ' +
        'its address.',
      status: 201,
      message: 'MCP server added successfully',
      request: { body: newMcpServerSchema },
      response: mcpServerSchema,
      handler: async ({ body }, { caller, services }) => {
        // Who may register tools may not run programs on the machine of the service.
        if (body.command !== undefined) checkAccess(caller, { access: 'admin', concerns: 'tenant' });
        return services.mcp.servers.add(body);
      },
    }),
    defineRoute({
      method: 'get',
      path: ONE,
      ...documentedAs('getMcpServer'),
      access: 'read',
      tag: TAG,
      summary: 'One remote MCP server, its tools and those that wait to be confirmed',
      message: 'MCP server retrieved successfully',
      request: { params },
      response: mcpServerSchema,
      handler: ({ params: { name } }, { services }) => services.mcp.servers.get(name),
    }),
    defineRoute({
      method: 'delete',
      path: ONE,
      ...documentedAs('removeMcpServer'),
      access: 'tools',
      tag: TAG,
      summary: 'Remove a remote MCP server and its tools',
      message: 'MCP server removed successfully',
      request: { params },
      response: z.object({ name: mcpServerNameSchema }),
      handler: async ({ params: { name } }, { services }) => {
        await services.mcp.servers.remove(name);
        return { name };
      },
    }),
    defineRoute({
      method: 'post',
      path: `${ONE}/refresh`,
      ...documentedAs('refreshMcpServer'),
      access: 'tools',
      tag: TAG,
      summary: 'List the tools of a remote MCP server now',
      message: 'MCP server refreshed successfully',
      request: { params },
      response: mcpServerSchema,
      handler: ({ params: { name } }, { services }) => services.mcp.servers.refresh(name),
    }),
    defineRoute({
      method: 'post',
      path: `${ONE}/confirm`,
      ...documentedAs('confirmMcpServer'),
      access: 'tools',
      tag: TAG,
      summary: 'Use the new and changed tools of a remote MCP server',
      message: 'MCP server confirmed successfully',
      request: {
        params,
        body: z
          .strictObject({
            digest: z
              .string()
              .optional()
              .describe('`pending.digest` as read; another list by now is refused'),
          })
          .optional(),
      },
      response: mcpServerSchema,
      handler: ({ params: { name }, body }, { services }) => services.mcp.servers.confirm(name, body?.digest),
    }),
    mcpLoginRoute(login),
  ];
}
