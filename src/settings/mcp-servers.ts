import { z } from 'zod';
import { count } from './fields';

export const mcpServerSettings = {
  MCP_MAX_SERVERS: count(0, 1_000).default(50).describe('Most remote MCP servers that a tenant may add'),
  MCP_STDIO: z
    .enum(['yes', 'no'])
    .default('no')
    .describe(
      'yes: administrators of the tenant default may add MCP servers that are commands, which APIs and workers run on their machines, with the rights of the service; give all processes the same',
    ),
};
