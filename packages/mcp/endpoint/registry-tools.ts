import type { Tool } from '@modelcontextprotocol/server';
import type { ToolDescription } from '../../../src/contracts/http/llm';
import { withObjectType } from '../../../src/contracts/http/tool-schemas';
import type { ArgumentChecks } from '../../../src/tools/argument-check';
import type { ToolRegistry } from '../../../src/tools/registry';
import { prepareCall } from '../../../requests/prepare-calls';
import type { ToolRuns } from '../../../requests/tool-runs';
import type { ToolSource } from './sources';
import type { JsonSchema } from '../../../src/contracts/http/tools';
import { isJsonObject } from '../../../src/contracts/json';

/** By it a server asks clients to repeat an argument in a header of the request, so that a proxy can route by it. */
const KEYWORD = 'x-mcp-header';
/** Keywords whose value has schemas by names that the author of the schema chose. */
const SCHEMAS_BY_NAME = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose value is data, which is no schema whatever it looks like. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

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
            readOnlyHint: readOnly,
            destructiveHint: destructive,
          },
        }),
  };
}

/**
 * Removes the keyword from a schema, wherever it is one. The service checks no such header, so it must not ask its clients
 * for any. A schema without the keyword is returned as it is. Pure.
 */
export function withoutHeaderKeyword(schema: JsonSchema): JsonSchema {
  return JSON.stringify(schema).includes(KEYWORD) ? (strip(schema) as JsonSchema) : schema;
}

function strip(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strip);
  return mapEntries(schema, (name, value) => {
    if (name === KEYWORD) return undefined;
    if (DATA.has(name)) return value;
    return SCHEMAS_BY_NAME.has(name) ? mapEntries(value, (_, part) => strip(part)) : strip(value);
  });
}

/** Maps the values of an object, without those that become undefined. Any other value is returned as it is. */
function mapEntries(value: unknown, map: (name: string, value: unknown) => unknown): unknown {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [name, map(name, item)]);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}
