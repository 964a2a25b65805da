import type { Tool } from '@modelcontextprotocol/server';
import type { ToolDescription } from '../../src/contracts/http/llm';
import type { JsonSchema, StoredTool } from '../../src/contracts/http/tools';
import { toFunctionParameters } from '../../src/llm/function-parameters';
import type { ToolRegistry } from '../../src/tools/registry';
import { prepareCall } from '../runs/prepare-calls';
import type { ToolRuns } from '../tools/tool-runs';
import { withoutHeaderKeyword } from './header-keyword';
import type { ToolSource } from './tool-source';

/** Creates the source of the tools of a registry. Each call is a run. */
export function registryTools(registry: ToolRegistry, runs: Pick<ToolRuns, 'single'>): ToolSource {
  // The registry returns the same list until a tool changes, and converting 1,000 tools takes several milliseconds.
  const converted = new WeakMap<readonly ToolDescription[], readonly Tool[]>();
  return {
    async list() {
      const descriptions = await registry.list();
      const tools = converted.get(descriptions) ?? descriptions.map(toTool);
      converted.set(descriptions, tools);
      return tools;
    },
    async complete(tools) {
      // Remote tools are named `server.tool`. The list has no schemas, which would be too long to keep in memory.
      const names = tools.map(({ name }) => name).filter((name) => name.includes('.'));
      if (names.length === 0) return tools;
      const stored = await registry.getMany(names);
      return tools.map((tool) => {
        const found = stored.get(tool.name);
        return found === undefined ? tool : toTool(found);
      });
    },
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

type Described = ToolDescription & Pick<StoredTool, 'inputSchema' | 'outputSchema'>;

function toTool({ name, description, parameters, annotations, ...schemas }: Described): Tool {
  const { inputSchema = toInputSchema(parameters), outputSchema } = schemas;
  const { readOnly, destructive } = annotations ?? {};
  return {
    name,
    description,
    // The schema is JSON, which its own type does not say.
    inputSchema: withoutHeaderKeyword(inputSchema) as Tool['inputSchema'],
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

function toInputSchema(parameters: ToolDescription['parameters']): JsonSchema {
  const { type, properties, required } = toFunctionParameters(parameters);
  return { type, properties, required: [...required] };
}
