import type { Logger } from '../../src/base/logger';
import type { Metrics } from '../../src/base/metrics';
import type { SecretBox } from '../../src/secrets/secret-box';
import type { McpPart } from '../../src/settings/mcp';
import type { Engine } from '../../temporal/engine';
import type { RunFeeds } from '../../temporal/run-events/run-feeds';
import type { ShownRuns } from '../../temporal/runs/run-lookup';
import type { McpAdditions } from './mcp-additions';
import type { TenantMcp } from './tenant-mcp';

/** What the handlers of MCP requests use. */
export interface McpPorts {
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'requestFailed'>;
  readonly engine: Engine;
  readonly shown: ShownRuns;
  readonly feeds: RunFeeds;
  readonly secrets: SecretBox;
  readonly offered: ReadonlySet<McpPart>;
  /** How long clients may keep a list, milliseconds. */
  readonly listTtlMs: number;
  /** How long a call waits for its run, milliseconds. */
  readonly waitLimitMs: number;
  /** Returns what a tenant offers. @throws HoldfastError as `Tenants.of` does */
  offerOf(tenant: string): Promise<TenantMcp>;
  /** Absent: the server has what the service offers and nothing else. */
  readonly additions?: McpAdditions | undefined;
  /** Whether the service is being stopped, so that connections end although no client has gone. */
  isStopping(): boolean;
}
