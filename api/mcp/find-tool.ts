import type { RequestContext } from '../http/route';
import type { McpPorts } from './mcp-ports';
import { isHashed, namesOf, offeredName } from './offered-names';
import type { McpTool, ToolSource } from './tool-source';

/** Finds a tool of a caller by its own name or by the one that is offered, in the first source that has it. */
export async function findTool(
  { offerOf }: Pick<McpPorts, 'offerOf'>,
  called: string,
  context: RequestContext,
): Promise<McpTool | undefined> {
  const { tools } = await offerOf(context.caller.tenant);
  for (const name of namesOf(called)) {
    const found = await findIn(tools, name, context);
    if (found !== undefined) return found;
  }
  if (!isHashed(called)) return undefined;
  const lists = await Promise.all(tools.map((source) => source.list(context)));
  const listed = lists.flat().find(({ name }) => offeredName(name) === called);
  return listed && findIn(tools, listed.name, context);
}

async function findIn(
  sources: readonly ToolSource[],
  name: string,
  context: RequestContext,
): Promise<McpTool | undefined> {
  for (const source of sources) {
    const found = await source.find(name, context);
    if (found !== undefined) return found;
  }
  return undefined;
}
