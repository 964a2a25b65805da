import type { ListToolsResult, Tool } from '@modelcontextprotocol/server';
import type { Exchange } from './exchange';
import type { McpPorts } from './mcp-ports';
import { takePage } from './pages';
import type { ToolSource } from './tool-source';

/** A tool of a list, and where it comes from. */
interface Offered {
  readonly name: string;
  readonly tool: Tool;
  readonly source: ToolSource;
}

/** Lists a page of the tools of a caller. @throws ProtocolError for a cursor that is not one of a page */
export async function listTools(
  { offerOf }: Pick<McpPorts, 'offerOf'>,
  cursor: string | undefined,
  { context }: Exchange,
): Promise<ListToolsResult> {
  const { tools: sources } = await offerOf(context.caller.tenant);
  const lists = await Promise.all(
    sources.map(async (source) =>
      (await source.list(context)).map((tool): Offered => ({ name: tool.name, tool, source })),
    ),
  );
  const byName = new Map<string, Offered>();
  for (const offered of lists.flat()) if (!byName.has(offered.name)) byName.set(offered.name, offered);
  const { page, nextCursor } = takePage([...byName.values()], cursor);
  return { tools: await complete(page), ...(nextCursor === undefined ? {} : { nextCursor }) };
}

async function complete(page: readonly Offered[]): Promise<Tool[]> {
  const completed = await Promise.all(
    [...new Set(page.map(({ source }) => source))].map(async (source) => {
      const tools = page.filter((offered) => offered.source === source).map(({ tool }) => tool);
      return (await source.complete?.(tools)) ?? tools;
    }),
  );
  const byName = new Map(completed.flat().map((tool) => [tool.name, tool]));
  return page.map(({ name, tool }) => byName.get(name) ?? tool);
}
