import type { Tool } from '@modelcontextprotocol/server';
import type { ToolDescription } from '../../src/contracts/http/llm';
import { withObjectType } from '../../src/contracts/http/tool-schemas';
import type { ArgumentChecks } from '../../src/tools/argument-check';
import type { ToolRegistry } from '../../src/tools/registry';
import { prepareCall } from '../runs/prepare-calls';
import type { ToolRuns } from '../tools/tool-runs';
import { withoutHeaderKeyword } from './header-keyword';
import type { ToolSource } from './tool-source';

/** Creates the source of the tools of a registry. Each call is a run. */
export function registryTools(
  registry: ToolRegistry,
  checks: ArgumentChecks,
  runs: Pick<ToolRuns, 'single'>,
): ToolSource {
  // The registry returns the same list until a tool changes, and converting 1,000 tools takes several milliseconds.
  const converted = new WeakMap<readonly ToolDescription[], readonly Tool[]>();
  return {
    async list() {
      const descriptions = await registry.list();
      const tools = converted.get(descriptions) ?? descriptions.map(toTool);
      converted.set(descriptions, tools);
      return tools;
    },
    async find(name) {
      const tool = await registry.get(name);
      if (tool === undefined) return undefined;
      return {
        definition: toTool(tool),
        workflowType: 'executeTool',
        call(args, context) {
          const request = { toolName: name, args };
          const ports = { registry, check: checks.of(context.owner), signal: context.signal() };
          const prepare = async () => [await prepareCall(ports, request)];
          return runs.single(
            { calls: [request], timeoutMs: undefined, approval: undefined, prepare },
            context,
          );
        },
      };
    },
  };
}

function toTool({ name, description, inputSchema, outputSchema, annotations }: ToolDescription): Tool {
  const { readOnly, destructive } = annotations ?? {};
  return {
    name,
    description,
    // The schema is JSON, which its own type does not say.
    inputSchema: withoutHeaderKeyword(withObjectType(inputSchema)) as Tool['inputSchema'],
    // The structured content of a call is always an object.
    ...(outputSchema?.['type'] === 'object' ? { outputSchema } : {}),
    ...(annotations === undefined
      ? {}
      : {
          annotations: {
            ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
            ...(destructive === undefined ? {} : { destructiveHint: destructive }),
          },
        }),
  };
}
