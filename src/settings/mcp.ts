import { z } from 'zod';
import { milliseconds } from './fields';

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
