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
  const names = [...(await hashedNames(tools, called, context)), ...namesOf(called)];
  for (const name of names) {
    const found = await findIn(tools, name, context);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The own name of the tool that is offered by a name with a part of a hash. It is found in lists alone. */
async function hashedNames(
  tools: readonly ToolSource[],
  called: string,
  context: RequestContext,
): Promise<string[]> {
  if (!isHashed(called)) return [];
  const lists = await Promise.all(tools.map((source) => source.list(context)));
  const offered = lists.flat().filter(({ name }) => offeredName(name) === called);
  return offered.map(({ name }) => name);
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
