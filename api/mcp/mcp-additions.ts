import type { McpServer } from '@modelcontextprotocol/server';
import type { SecretBox } from '../../src/secrets/secret-box';
import type { TenantMcp } from './tenant-mcp';

/** What a program adds to the MCP server beyond what the service offers, such as the fixtures of a conformance suite. */
export interface McpAdditions {
  /** Returns what a tenant offers with what is added. */
  addTo(offer: TenantMcp, secrets: SecretBox): TenantMcp;
  /** Adds capabilities and methods to a server before it is connected. */
  extend(server: McpServer['server']): void;
}
