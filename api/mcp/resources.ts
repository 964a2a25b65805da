import { type McpServer, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Exchange, Handle } from './exchange';
import type { McpPorts } from './mcp-ports';
import { pageParams } from './pages';
import type { ResourceSource } from './resource-source';

const readParams = z.looseObject({ uri: z.string() });

/** Adds the resources of a tenant to a server. */
export function addResources(
  server: McpServer['server'],
  { offerOf }: Pick<McpPorts, 'offerOf'>,
  handle: Handle,
): void {
  const sourcesOf = async ({ context: { caller } }: Exchange): Promise<readonly ResourceSource[]> =>
    (await offerOf(caller.tenant)).resources;
  server.setRequestHandler('resources/list', { params: pageParams }, (_, context) =>
    handle(context, async (exchange) => ({
      resources: (await sourcesOf(exchange)).flatMap(({ resources = [] }) => resources),
    })),
  );
  server.setRequestHandler('resources/templates/list', { params: pageParams }, (_, context) =>
    handle(context, async (exchange) => ({
      resourceTemplates: (await sourcesOf(exchange)).flatMap(({ templates }) => templates),
    })),
  );
  server.setRequestHandler('resources/read', { params: readParams }, ({ uri }, context) =>
    handle(context, async (exchange) => {
      for (const source of await sourcesOf(exchange)) {
        const contents = await source.read(uri, exchange);
        if (contents !== undefined) return { contents };
      }
      throw new ResourceNotFoundError(uri);
    }),
  );
}
