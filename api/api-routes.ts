import { builtinWorkflows } from '../src/workflow-definitions/builtin';
import { agentRoutes } from './agent/agent-routes';
import { namedAgentRoutes } from './agents/agent-routes';
import { agentInitializeRoute } from './agent/initialize-routes';
import { approvalRoutes } from './approvals/approval-routes';
import { linkRoute } from './approvals/link-route';
import { fileRoutes } from './files/file-routes';
import { healthRoutes } from './health/health-routes';
import type { AnyRoute } from './http/route';
import { intentRoutes } from './intents/intent-routes';
import { callerRoute } from './keys/caller-route';
import { keyRoutes } from './keys/key-routes';
import { mcpServerRoutes } from '../packages/mcp';
import { memoryChatRoutes } from './memory-chat/chat-routes';
import { memoryChatHistoryRoutes } from './memory-chat/history-routes';
import { memoryChatInitializeRoute } from './memory-chat/initialize-routes';
import { knowledgeRoutes } from './memory-chat/knowledge-routes';
import { consolidationRoutes } from './memory/consolidation-routes';
import { memoryDirectoryRoutes } from './memory/directory-routes';
import { episodicMemoryRoutes } from './memory/episodic-routes';
import { factRoutes } from './memory/fact-routes';
import { memoryImportRoutes } from './memory/import-routes';
import { memoryListingRoutes, memoryExportRoutes } from './memory/listing-routes';
import { memoryRoutes } from './memory/overview-routes';
import { erasureReceiptRoute } from './memory/receipt-route';
import { memoryRunRoutes } from './memory/run-routes';
import { semanticMemoryRoutes } from './memory/semantic-routes';
import { hookRoutes } from './hooks/hook-routes';
import { scheduleRoutes } from './schedules/schedule-routes';
import { runRoutes } from './runs/run-routes';
import type { Services, SharedPorts } from './services';
import { deliveryRoutes } from './webhooks/delivery-routes';
import { toolRunRoutes } from './tools/execution-routes';
import { toolQueryRoutes } from './tools/query-routes';
import { toolRoutes } from './tools/registry-routes';
import { workflowRoutes } from './workflows/definition-routes';
import { workflowRunRoutes } from './workflows/execution-routes';
import { workflowValidationRoute } from './workflows/validation-route';

/** All routes of the API, once for all tenants: each request brings the services of its caller's tenant. */
export function createApiRoutes(shared: SharedPorts): AnyRoute<Services>[] {
  const { config, engine, shown, keys, models, sandbox, secrets } = shared;
  const { configuration } = shared.memory;
  const ofMemoryChat = [
    ...memoryChatHistoryRoutes(config),
    ...knowledgeRoutes(config),
    ...memoryChatRoutes(config),
  ];
  return [
    ...toolRoutes({ sandbox, secrets, externalQueues: config.EXTERNAL_QUEUES }, config),
    ...toolRunRoutes(config),
    ...toolQueryRoutes(config),
    ...mcpServerRoutes({ states: shared.loginStates, keys, publicUrl: config.PUBLIC_URL }),
    ...workflowRunRoutes(config),
    workflowValidationRoute(config),
    ...workflowRoutes(new Set(builtinWorkflows.map(({ id }) => id))),
    ...intentRoutes(config),
    ...episodicMemoryRoutes(config),
    ...semanticMemoryRoutes(config),
    ...memoryRoutes(config),
    ...memoryListingRoutes(config),
    ...memoryDirectoryRoutes(config),
    ...factRoutes(config),
    erasureReceiptRoute(),
    ...memoryExportRoutes(config),
    ...memoryImportRoutes(config),
    ...memoryRunRoutes(config),
    ...consolidationRoutes(config),
    agentInitializeRoute(configuration),
    ...agentRoutes({ configuration, models }, config),
    ...namedAgentRoutes(models, config),
    ...fileRoutes(),
    memoryChatInitializeRoute(shared.memory, models),
    ...ofMemoryChat.map((route) => ({
      ...route,
      checkReady: () => configuration.requireInitialized('memory-chat'),
    })),
    ...scheduleRoutes(),
    ...hookRoutes(),
    ...runRoutes({ engine, shown, feeds: shared.feeds, tokens: shared.runTokens, keys }),
    ...approvalRoutes({ engine, shown }),
    linkRoute({
      engine,
      taskQueue: config.TASK_QUEUE,
      links: shared.approvalLinks,
      publicUrl: config.PUBLIC_URL,
    }),
    ...deliveryRoutes({ engine, shown }),
    ...healthRoutes(),
    callerRoute(),
    ...(keys === undefined ? [] : keyRoutes(keys)),
  ];
}
