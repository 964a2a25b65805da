import type { Tool } from '@modelcontextprotocol/server';
import type { RequestContext } from '../../../api/http/route';
import type { McpPorts } from './mcp-ports';
import { isHashed, namesOf, offeredName } from './offered-names';
import type { McpTool, ToolSource, ToolArguments } from './sources';
import { validationError } from '../../../src/base/errors';
import { findNearest } from '../../../src/base/text/nearest';

/** Finds a tool of a caller by its own name or by the one that is offered, in the first source that has it. */
export async function findTool(
  { offerOf }: Pick<McpPorts, 'offerOf'>,
  called: string,
  context: RequestContext,
): Promise<McpTool | undefined> {
  const { tools } = await offerOf(context.caller.tenant);
  const names = [...(await hashedNames(tools, called, context)), ...namesOf(called)];
  for (const name of names) {
    const tool = await findIn(tools, name, context);
    if (tool !== undefined) return tool;
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
    const tool = await source.find(name, context);
    if (tool !== undefined) return tool;
  }
  return undefined;
}

/** Checks that a tool has each argument of a call. @throws HoldfastError `VALIDATION` for a name that it does not have */
export function checkArgumentNames({ name, inputSchema }: Tool, args: ToolArguments): void {
  const unknown = Object.keys(args).find(
    (argument) => !Object.hasOwn(inputSchema.properties ?? {}, argument),
  );
  if (unknown === undefined) return;
  const near = findNearest(unknown, Object.keys(inputSchema.properties ?? {}));
  const advice = near === undefined ? '' : `; the nearest is ${near.name}`;
  throw validationError(unknown, `${name} has no argument "${unknown}"${advice}`);
}
