import type { Tool } from '@modelcontextprotocol/server';
import type { ToolDescription } from '../../src/contracts/http/llm';
import { toFunctionParameters } from '../../src/llm/function-parameters';
import type { ToolRegistry } from '../../src/tools/registry';
import { prepareCall } from '../runs/prepare-calls';
import type { ToolRuns } from '../tools/tool-runs';
import type { ToolSource } from './tool-source';

/** Creates the source of the tools of a registry. Each call is a run. */
export function registryTools(registry: ToolRegistry, runs: Pick<ToolRuns, 'single'>): ToolSource {
  return {
    list: async () => (await registry.list()).map(toTool),
    async find(name) {
      const tool = await registry.get(name);
      if (tool === undefined) return undefined;
      return {
        definition: toTool(tool),
        workflowType: 'executeTool',
        call(args, context) {
          const request = { toolName: name, args };
          const prepare = async () => [await prepareCall(registry, request)];
          return runs.single(
            { calls: [request], timeoutMs: undefined, approval: undefined, prepare },
            context,
          );
        },
      };
    },
  };
}

function toTool({ name, description, parameters, annotations }: ToolDescription): Tool {
  const { type, properties, required } = toFunctionParameters(parameters);
  const { readOnly, destructive } = annotations ?? {};
  return {
    name,
    description,
    // The schema is JSON, which its own type does not say.
    inputSchema: { type, properties, required: [...required] } as Tool['inputSchema'],
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
