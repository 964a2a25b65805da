import { newId } from '../src/base/ids';
import { withStatistics } from '../src/intent/service/with-statistics';
import { builtinWorkflows } from '../src/workflow-definitions/builtin';
import { readAgentStatus } from './agent/agent-status';
import { createSelfTest } from './agent/self-test-runs';
import { createBatchRuns } from './intents/batch-runs';
import { agentRoutes } from './agent/agent-routes';
import { episodicMemoryRoutes } from './memory/episodic-routes';
import { agentInitializeRoute } from './agent/initialize-routes';
import { memoryChatInitializeRoute } from './memory-chat/initialize-routes';
import { healthRoutes } from './health/health-routes';
import { keyRoutes } from './keys/key-routes';
import { mcpServerRoutes } from './mcp-servers/server-routes';
import { createConsolidationRuns } from './memory/consolidation-runs';
import { consolidationRoutes } from './memory/consolidation-routes';
import { createMemoryRuns } from './memory/memory-runs';
import { memoryExportRoutes } from './memory/export-routes';
import { factRoutes } from './memory/fact-routes';
import { erasureReceiptRoute } from './memory/receipt-route';
import { memoryDirectoryRoutes } from './memory/directory-routes';
import { memoryListingRoutes } from './memory/listing-routes';
import { memoryRunRoutes } from './memory/run-routes';
import { memoryRoutes } from './memory/overview-routes';
import { knowledgeRoutes } from './memory-chat/knowledge-routes';
import { createChatRuns } from './memory-chat/chat-runs';
import { onceInitialized } from './memory-chat/initialized-stores';
import { memoryChatHistoryRoutes } from './memory-chat/history-routes';
import { memoryChatRoutes } from './memory-chat/chat-routes';
import { runRoutes } from './runs/run-routes';
import { intentRoutes } from './intents/intent-routes';
import { semanticMemoryRoutes } from './memory/semantic-routes';
import { toolQueryRoutes } from './tools/query-routes';
import { toolRunRoutes } from './tools/execution-routes';
import { toolRoutes } from './tools/registry-routes';
import { workflowRunRoutes } from './workflows/execution-routes';
import { workflowRoutes } from './workflows/definition-routes';
import { approvalRoutes } from './approvals/approval-routes';
import { linkRoute } from './approvals/link-route';
import { modelChooser, turnModelChooser } from './runs/choose-model';
import type { SharedPorts } from './shared-ports';
import type { TenantRuns } from './tenant-runs';
import { createPlannerRuns } from './runs/planner-runs';
import type { TenantServices } from '../src/tenants/tenants';
import type { AnyRoute } from './http/route';

/** Creates all routes of the API for a tenant. Their handlers have the services of that tenant and of no other one. */
export function createApiRoutes(shared: SharedPorts, services: TenantServices, runs: TenantRuns): AnyRoute[] {
  const { config, logger, engine, models, policies, keys, feeds } = shared;
  const { configuration } = shared.memory;
  const { tenant, pseudonyms, registry, schemaChecks, argumentChecks } = services;
  const { statistics, intents, memory, mcp } = services;
  const limits = config;
  const chooseModel = modelChooser(models);
  const chooseForTurn = turnModelChooser(models);
  const { client, budgets, catalogue, custom, turns } = runs;
  const planned = createPlannerRuns({ client, registry, policies, budgets, chooseModel, settings: config });
  const chatStores = onceInitialized(memory.stores, configuration);
  return [
    ...toolRoutes({ registry, schemaChecks, statistics, sandbox: shared.sandbox, limits }),
    ...toolRunRoutes({ registry, checks: argumentChecks, runs: runs.tools, limits }),
    ...toolQueryRoutes(planned, limits),
    ...mcpServerRoutes(mcp.servers, {
      tenant,
      states: shared.loginStates,
      keys,
      publicUrl: config.PUBLIC_URL,
    }),
    ...workflowRunRoutes({ planned, custom, limits }),
    ...workflowRoutes(catalogue, services, new Set(builtinWorkflows.map(({ id }) => id))),
    ...intentRoutes({
      ...intents,
      classification: withStatistics(intents.classification, intents.statistics, logger),
      batches: createBatchRuns({
        client,
        providers: () => intents.initialization.providers(),
        settings: config,
      }),
      limits,
    }),
    ...episodicMemoryRoutes(memory.stores, limits),
    ...semanticMemoryRoutes(memory.stores, limits),
    ...memoryRoutes({ stores: memory.stores, limits }),
    ...memoryListingRoutes(memory.stores, limits),
    ...memoryDirectoryRoutes(memory.stores, limits),
    ...factRoutes(memory.stores, limits),
    erasureReceiptRoute(memory.receipts),
    ...memoryExportRoutes(memory.stores, limits),
    ...memoryRunRoutes(
      createMemoryRuns({ client: shared.client, erasures: memory.erasures, pseudonyms }),
      memory.stores,
      limits,
    ),
    ...consolidationRoutes(
      createConsolidationRuns({
        client,
        stores: memory.stores,
        pseudonyms,
        isErasing: (userId) => memory.erasures.isUnderWay(userId),
        newId,
      }),
      memory.stores,
      limits,
    ),
    agentInitializeRoute(configuration),
    ...agentRoutes({
      runs: runs.agent,
      selfTest: createSelfTest({ client, budgets, chooseModel: chooseForTurn, settings: config }),
      status: () => readAgentStatus({ configuration, registry, models }),
      checkInitialized: () => configuration.requireInitialized('agent'),
      limits,
    }),
    memoryChatInitializeRoute(shared.memory, memory, models),
    ...memoryChatHistoryRoutes(chatStores, limits),
    ...knowledgeRoutes(chatStores, limits),
    ...memoryChatRoutes({
      stores: chatStores,
      runs: createChatRuns({ turns, budgets, chooseModel: chooseForTurn, settings: config }),
      checkInitialized: () => configuration.requireInitialized('memory-chat'),
      limits,
    }),
    ...runRoutes({
      engine,
      shown: shared.shown,
      pseudonyms,
      feeds,
      tokens: shared.runTokens,
      keys: shared.keys,
    }),
    ...approvalRoutes({
      budgets,
      checks: argumentChecks,
      engine,
      shown: shared.shown,
      pseudonyms,
    }),
    linkRoute({
      engine,
      taskQueue: config.TASK_QUEUE,
      links: shared.approvalLinks,
      publicUrl: config.PUBLIC_URL,
    }),
    ...healthRoutes(shared.createHealth(registry)),
    ...(keys === undefined ? [] : keyRoutes(keys, tenant)),
  ];
}
