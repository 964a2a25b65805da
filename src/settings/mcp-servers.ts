import { count } from './fields';

export const mcpServerSettings = {
  MCP_MAX_SERVERS: count(0, 1_000).default(50).describe('Most remote MCP servers that a tenant may add'),
};
