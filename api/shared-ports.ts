import type { KeyStore } from '../src/access/key-store';
import type { Logger } from '../src/base/logger';
import type { ModelProviders } from '../src/llm/model-providers';
import type { PriceTable } from '../src/llm/prices';
import type { MemorySystem } from '../src/memory/create-memory-system';
import type { Sandbox } from '../src/sandbox/sandbox';
import type { ApprovalLinks } from '../src/secrets/approval-links';
import type { LoginStates } from '../src/secrets/login-states';
import type { RunTokens } from '../src/secrets/run-tokens';
import type { SecretBox } from '../src/secrets/secret-box';
import type { Config } from '../src/settings/config';
import type { ToolRegistry } from '../src/tools/registry';
import type { Engine } from '../temporal/engine';
import type { RunClient } from '../temporal/runs/run-client';
import type { RunFeeds } from '../temporal/run-events/run-feeds';
import type { ShownRuns } from '../temporal/runs/run-lookup';
import type { HealthCheck } from './health/health-check';
import type { ApprovalPolicies } from './runs/approval-policies';

/** What the routes and the MCP tools of all tenants share. */
export interface SharedPorts {
  readonly config: Config;
  readonly logger: Logger;
  readonly engine: Engine;
  readonly sandbox: Sandbox;
  readonly models: ModelProviders;
  /** The prices of models. */
  readonly prices: PriceTable;
  readonly policies: ApprovalPolicies;
  readonly memory: Pick<MemorySystem, 'configuration'>;
  readonly approvalLinks: ApprovalLinks;
  /** Signs the tokens by which one run is read. */
  readonly runTokens: RunTokens;
  /** Signs what people bring back from a login at a remote server. */
  readonly loginStates: LoginStates;
  /** Seals the ids of MCP tasks. */
  readonly secrets: SecretBox;
  /** Absent: keys are not accepted. */
  readonly keys: KeyStore | undefined;
  readonly client: RunClient;
  readonly feeds: RunFeeds;
  readonly shown: ShownRuns;
  readonly createHealth: (registry: ToolRegistry) => HealthCheck;
}
