import type { McpServer } from '@modelcontextprotocol/server';
import type { Logger } from '../../../src/base/logger';
import type { Metrics } from '../../../src/base/metrics';
import type { SecretBox } from '../../../src/secrets/secret-box';
import type { McpPart } from '../../../src/settings/mcp';
import type { Engine } from '../../../temporal/engine';
import type { RunFeeds } from '../../../temporal/run-events/run-feeds';
import type { ShownRuns } from '../../../temporal/runs/run-lookup';
import type { ArgumentChecks } from '../../../src/tools/argument-check';
import type { BudgetPolicies } from '../../../requests/budget-policies';
import type { PromptSource, ResourceSource, ToolSource } from './sources';

/** What the callers of a tenant are offered as MCP clients. */
export interface McpOffer {
  /** If two sources have a tool of the same name, the earlier one is used. */
  readonly tools: readonly ToolSource[];
  readonly resources: readonly ResourceSource[];
  readonly prompts: readonly PromptSource[];
  /** Checks the answers to runs that have used up a budget. */
  readonly budgets: Pick<BudgetPolicies, 'check'>;
  readonly argumentChecks: ArgumentChecks;
}

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
  offerOf(tenant: string): Promise<McpOffer>;
  /** Absent: the server has what the service offers and nothing else. */
  readonly additions?: McpAdditions | undefined;
  /** Whether the service is being stopped, so that connections end although no client has gone. */
  isStopping(): boolean;
}

/** What a program adds to the MCP server beyond what the service offers, such as the fixtures of a conformance suite. */
export interface McpAdditions {
  /** Returns what a tenant offers with what is added. */
  addTo(offer: McpOffer, secrets: SecretBox): McpOffer;
  /** Adds capabilities and methods to a server before it is connected. */
  extend(server: McpServer['server']): void;
}
