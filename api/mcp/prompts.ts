import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Exchange, Handle } from './exchange';
import type { McpPorts } from './mcp-ports';
import { pageParams, takePage } from './pages';
import type { PromptSource } from './prompt-source';

const getParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() });

/** Adds the prompts of a tenant to a server. */
export function addPrompts(
  server: McpServer['server'],
  { offerOf }: Pick<McpPorts, 'offerOf'>,
  handle: Handle,
): void {
  const sourcesOf = async ({ context: { caller } }: Exchange): Promise<readonly PromptSource[]> =>
    (await offerOf(caller.tenant)).prompts;
  server.setRequestHandler('prompts/list', { params: pageParams }, ({ cursor }, context) =>
    handle(context, async (exchange) => {
      const lists = await Promise.all((await sourcesOf(exchange)).map((source) => source.list()));
      const { page, nextCursor } = takePage(lists.flat(), cursor);
      return { prompts: page, ...(nextCursor === undefined ? {} : { nextCursor }) };
    }),
  );
  server.setRequestHandler(
    'prompts/get',
    { params: getParams },
    ({ name, arguments: inputs = {} }, context) =>
      handle(context, async (exchange) => {
        for (const source of await sourcesOf(exchange)) {
          const prompt = await source.get(name, inputs, context);
          if (prompt !== undefined) return prompt;
        }
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt named "${name}"`);
      }),
  );
}
