import { z } from 'zod';
import { milliseconds, count } from './fields';

export const mcpServerSettings = {
  MCP_MAX_SERVERS: count(0, 1_000).default(50).describe('Most remote MCP servers that a tenant may add'),
  MCP_STDIO: z
    .enum(['yes', 'no'])
    .default('no')
    .describe(
      'yes: administrators of the tenant default may add MCP servers that are commands, which APIs and workers run on their machines, with the rights of the service; give all processes the same',
    ),
};

/** What the path /mcp can offer. */
export const MCP_PARTS = ['tools', 'workflows', 'agent', 'memory', 'resources', 'prompts'] as const;
export type McpPart = (typeof MCP_PARTS)[number];

export const mcpSettings = {
  MCP_OFFER: z
    .string()
    .default(MCP_PARTS.join())
    .describe(
      `What /mcp offers, comma-separated, or none, which leaves out the path: ${MCP_PARTS.join(', ')}`,
    ),
  MCP_LIST_TTL_MS: milliseconds(0, 86_400_000)
    .default(5_000)
    .describe('How long MCP clients may keep a list, ms'),
};
