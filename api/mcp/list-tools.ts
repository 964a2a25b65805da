import type { ListToolsResult, Tool } from '@modelcontextprotocol/server';
import type { Exchange } from './exchange';
import type { McpPorts } from './mcp-ports';
import { offeredName } from './offered-names';
import { takePage } from './pages';

/** Lists a page of the tools of a caller, by names that every client takes. @throws ProtocolError for a cursor that is not one of a page */
export async function listTools(
  { offerOf }: Pick<McpPorts, 'offerOf'>,
  cursor: string | undefined,
  { context }: Exchange,
): Promise<ListToolsResult> {
  const { tools: sources } = await offerOf(context.caller.tenant);
  const lists = await Promise.all(sources.map((source) => source.list(context)));
  const byName = new Map<string, Tool>();
  for (const tool of lists.flat()) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  const offered = [...byName.values()].map((tool) => ({ ...tool, name: offeredName(tool.name) }));
  const { page, nextCursor } = takePage(offered, cursor);
  return { tools: page, ...(nextCursor === undefined ? {} : { nextCursor }) };
}
