import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { McpTool } from '../../packages/mcp/endpoint/sources';

type Properties = Tool['inputSchema']['properties'];

/** The definition of a fixture. @param properties the schemas of the arguments */
export function defineTool(name: string, properties: Properties = {}): Tool {
  return { name, description: `The fixture ${name}`, inputSchema: { type: 'object', properties } };
}

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** For tools that answer by hand, so that no call of them starts a run. */
export function startsNoRun(): Promise<never> {
  return Promise.reject(new Error('This fixture starts no run'));
}

/** A schema with keywords of JSON Schema 2020-12, which a list has to keep as they are. */
export const SCHEMA_TOOL: McpTool = {
  definition: {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  answer: () => Promise.resolve(textResult('The arguments are not checked')),
  call: startsNoRun,
};
