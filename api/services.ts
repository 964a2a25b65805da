import type { ApprovalPolicies } from '../requests/approval-policies';
import type { ShownRuns } from '../temporal/runs/run-lookup';
import type { RunFeeds } from '../temporal/run-events/run-feeds';
import type { RunClient } from '../temporal/runs/run-client';
import type { Engine } from '../temporal/engine';
import type { ToolRegistry } from '../src/tools/registry';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import type { Config } from '../src/settings/config';
import type { SecretBox } from '../src/secrets/secret-box';
import type { Sandbox } from '../src/sandbox/sandbox';
import type { PriceTable } from '../src/llm/prices';
import type { ModelProviders } from '../src/llm/model-providers';
import type { Logger } from '../src/base/logger';
import type { KeyStore } from '../src/access/key-store';
import { newId } from '../src/base/ids';
import type { UserFiles } from '../src/files/user-files';
import { createMemoryImportFiles } from '../src/imports/create-import-files';
import type { IntentClassification } from '../src/intent/service/classification';
import { withStatistics } from '../src/intent/service/with-statistics';
import type { MemorySystem } from '../src/memory/create-memory-system';
import type { TenantServices } from '../src/tenants/tenants';
import type { WorkflowCatalogue } from '../src/workflow-definitions/catalogue';
import { countEndedRuns } from '../temporal/usage/count-ended-runs';
import { createHookStore, type HookStore } from '../src/hooks/hook-store';
import type { NamedAgents } from '../requests/agent-definitions';
import { createUsageStore } from '../src/usage/usage-store';
import { messageOf } from '../src/base/errors';
import type { UsageServices } from './runs/usage-route';
import { createSchedules, type Schedules } from './schedules/schedule-service';
import { serverClock } from '../temporal/server-clock';
import type { AgentRuns } from '../requests/agent-runs';
import { createSelfTest } from './agent/self-test-runs';
import type { HealthCheck } from './health/health-check';
import { type BatchRuns, createBatchRuns } from './intents/batch-runs';
import { createMcpOffer, type McpOffer } from '../packages/mcp';
import { type ChatRuns, createChatRuns } from './memory-chat/chat-runs';
import { type ConsolidationRuns, createConsolidationRuns } from './memory/consolidation-runs';
import { createMemoryImportRuns, type MemoryImportRuns } from './memory/import-runs';
import { createMemoryRuns, type MemoryRuns } from './memory/memory-runs';
import { type BudgetPolicies, createBudgetPolicies } from '../requests/budget-policies';
import { modelChooser, turnModelChooser } from '../requests/choose-model';
import { createImportRuns } from './runs/import-runs';
import { createPlannerRuns, type PlannerRuns } from '../requests/planner-runs';
import { createReruns, type Reruns } from '../requests/reruns';
import type { ToolRuns } from '../requests/tool-runs';
import type { CustomRuns } from '../requests/custom-runs';
import type { ScheduledActions } from '../requests/scheduled-actions';
import { createDirectRuns, createNamedAgents, createTenantCatalogue } from '../requests/direct-runs';
import { RUN_USER } from '../src/secrets/pseudonyms';
import type { ApprovalLinks, LoginStates, RunTokens } from '../src/secrets/signed-texts';

/** What the routes and the MCP tools of all tenants share. */
export interface SharedPorts {
  readonly config: Config;
  readonly logger: Logger;
  readonly engine: Engine;
  readonly sandbox: Sandbox;
  /** The store of uploads, which API and workers share. */
  readonly blobs: BlobStore;
  readonly models: ModelProviders;
  /** The prices of models. */
  readonly prices: PriceTable;
  /** What schedules start. */
  readonly actions: ScheduledActions;
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
  readonly createHealth: (registry: ToolRegistry, tenant: string) => HealthCheck;
}

/** What starts the runs of a tenant, over HTTP and by the Model Context Protocol. */
export interface Runs {
  readonly tools: ToolRuns;
  readonly planned: PlannerRuns;
  readonly custom: CustomRuns;
  readonly reruns: Reruns;
  readonly files: UserFiles;
  readonly agent: AgentRuns;
  readonly selfTest: ReturnType<typeof createSelfTest>;
  readonly chat: ChatRuns;
  readonly batches: BatchRuns;
  readonly memory: MemoryRuns;
  readonly memoryImports: MemoryImportRuns;
  readonly consolidations: ConsolidationRuns;
}

/** What the requests of a tenant's callers use. Code that has only these reaches nothing of another tenant. */
export interface Services extends TenantServices {
  readonly runs: Runs;
  readonly budgets: BudgetPolicies;
  readonly catalogue: WorkflowCatalogue;
  /** Classifies, and counts each classification. */
  readonly classification: IntentClassification;
  readonly health: HealthCheck;
  /** What ended runs used. */
  readonly usage: UsageServices['usage'];
  readonly schedules: Schedules;
  readonly agents: NamedAgents;
  readonly hooks: HookStore;
  /** What MCP clients are offered. */
  readonly offer: McpOffer;
}

/** Creates what the requests of a tenant use, on the services of that tenant alone. */
export function createServices(shared: SharedPorts, tenantServices: TenantServices): Services {
  const { config, prices, logger } = shared;
  const { pseudonyms, registry, intents } = tenantServices;
  const budgets = createBudgetPolicies(config, prices, pseudonyms);
  const catalogue = createTenantCatalogue(tenantServices, config);
  const parts = { budgets, catalogue };
  const services = {
    ...tenantServices,
    runs: createRuns(shared, tenantServices, parts),
    budgets,
    catalogue,
    classification: withStatistics(intents.classification, intents.statistics, logger),
    health: shared.createHealth(registry, tenantServices.tenant),
    usage: createUsage(shared, tenantServices),
    agents: createNamedAgents(tenantServices.documents),
    hooks: createHookStore(tenantServices.documents, shared.secrets, tenantServices.tenant),
    schedules: createSchedules(
      { ...shared, configuration: shared.memory.configuration },
      tenantServices,
      parts,
    ),
  };
  return { ...services, offer: createMcpOffer(shared, services) };
}

/** How long a request for sums waits for the count of the runs that have just ended, milliseconds. */
const REFRESH_MS = 2_000;

function createUsage(
  { engine, prices, config, shown, logger }: SharedPorts,
  { tenant, documents }: TenantServices,
): UsageServices['usage'] {
  const { now } = serverClock;
  const store = createUsageStore(documents, now);
  const scope = { taskQueue: config.TASK_QUEUE, workflowTypes: shown.workflowTypes, tenant };
  let underWay: Promise<void> | undefined;
  const count = async (): Promise<void> => {
    const ports = { engine, usage: store, prices, scope, now };
    await countEndedRuns(ports, AbortSignal.timeout(REFRESH_MS)).catch((error: unknown) => {
      logger.warn({ reason: messageOf(error) }, 'runs that have just ended could not be counted');
    });
    underWay = undefined;
  };
  return { ...store, refresh: () => (underWay ??= count()) };
}

function createRuns(
  shared: SharedPorts,
  tenantServices: TenantServices,
  parts: Pick<Services, 'budgets' | 'catalogue'>,
): Runs {
  const { tenant, pseudonyms, registry, memory, intents } = tenantServices;
  const { config: settings, engine, logger, policies } = shared;
  const { client, turns, isErasing, ...direct } = createDirectRuns(shared, tenantServices, parts);
  const { budgets } = parts;
  const chooseModel = modelChooser(shared.models);
  const chooseForTurn = turnModelChooser(shared.models);
  const planned = createPlannerRuns({ client, registry, policies, budgets, chooseModel, settings });
  const selfTest = createSelfTest({ client, budgets, chooseModel: chooseForTurn, settings });
  const chat = createChatRuns({ turns, budgets, chooseModel: chooseForTurn, settings });
  const batches = createBatchRuns({
    client,
    providers: () => intents.initialization.providers(),
    settings,
  });
  return {
    ...direct,
    planned,
    reruns: createReruns({
      ...direct,
      batches,
      engine,
      settings,
      calls: tenantServices,
      planned,
      chat,
      selfTest,
      defaultProvider: shared.models.default,
      requireInitialized: (area) => shared.memory.configuration.requireInitialized(area),
      isErasing: ({ user }) =>
        memory.erasures.isUnderWayFor((userId) => pseudonyms(RUN_USER, userId) === user),
    }),
    selfTest,
    chat,
    batches,
    memory: createMemoryRuns({ client: shared.client, erasures: memory.erasures, pseudonyms }),
    memoryImports: createMemoryImportRuns({
      importsOf: (user) => {
        const files = createMemoryImportFiles(shared.blobs, settings, { tenant, user });
        return createImportRuns({ client, engine, files, logger });
      },
      pseudonyms,
      isErasing,
    }),
    consolidations: createConsolidationRuns({ client, memory, pseudonyms, isErasing, newId }),
  };
}
