import type { RequestContext } from '../http/route';
import type { McpPorts } from './mcp-ports';
import type { McpTool } from './tool-source';

/** Finds a tool of a caller, in the first source that has it. */
export async function findTool(
  { offerOf }: Pick<McpPorts, 'offerOf'>,
  name: string,
  context: RequestContext,
): Promise<McpTool | undefined> {
  const { tools } = await offerOf(context.caller.tenant);
  for (const source of tools) {
    const found = await source.find(name, context);
    if (found !== undefined) return found;
  }
  return undefined;
}
