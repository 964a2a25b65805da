import { setMaxListeners } from 'node:events';
import type { Authenticator } from '../src/access/authenticator';
import type { KeyStore } from '../src/access/key-store';
import type { Config } from '../src/settings/config';
import { readWorkerFaults } from '../src/worker-faults/read-worker-faults';
import { withStatistics } from '../src/intent/service/with-statistics';
import type { Intents } from '../src/intent/service/create-intents';
import type { ModelProviders } from '../src/llm/model-providers';
import { readPrices } from '../src/llm/prices';
import { readTurnState } from '../temporal/run-state';
import { createSessionOrder } from '../src/conversation/session-order';
import type { Logger } from '../src/base/logger';
import type { Metrics } from '../src/base/metrics';
import type { MemorySystem } from '../src/memory/create-memory-system';
import type { Sandbox } from '../src/sandbox/sandbox';
import type { ApprovalLinks } from '../src/secrets/approval-links';
import type { Pseudonyms } from '../src/secrets/pseudonyms';
import type { DocumentStore } from '../src/stores/documents';
import type { ToolRegistry } from '../src/tools/registry';
import type { ToolStatisticsStore } from '../src/tools/statistics';
import { builtinWorkflows } from '../src/workflow-definitions/builtin';
import { createWorkflowCatalogue } from '../src/workflow-definitions/catalogue';
import type { Engine } from '../temporal/engine';
import { RunFeeds } from '../temporal/run-events/run-feeds';
import type { StartedRun } from '../temporal/started-run';
import { measuredRunClient } from '../temporal/measured-run-client';
import { createRunClient } from '../temporal/run-client';
import { readAllPolls } from '../temporal/task-queues';
import { createAgentRuns } from './agent/agent-runs';
import { readAgentStatus } from './agent/agent-status';
import { createSelfTest } from './agent/self-test-runs';
import { startCpuMeter } from './health/cpu-meter';
import { createHealthCheck } from './health/health-check';
import { createApp } from './app';
import type { HttpServer } from './http/server';
import { listen } from './http/server';
import { createBatchRuns } from './intents/batch-runs';
import { requestAbandoned } from './http/middleware/request-context';
import { agentRoutes } from './agent/agent-routes';
import { episodicMemoryRoutes } from './memory/episodic-routes';
import { agentInitializeRoute } from './agent/initialize-routes';
import { memoryChatInitializeRoute } from './memory-chat/initialize-routes';
import { healthRoutes } from './health/health-routes';
import { keyRoutes } from './keys/key-routes';
import { createMemoryRuns } from './memory/memory-runs';
import { memoryExportRoutes } from './memory/export-routes';
import { memoryListingRoutes } from './memory/listing-routes';
import { memoryRunRoutes } from './memory/run-routes';
import { memoryRoutes } from './memory/overview-routes';
import { knowledgeRoutes } from './memory-chat/knowledge-routes';
import { createChatRuns } from './memory-chat/chat-runs';
import { onceInitialized } from './memory-chat/initialized-stores';
import { memoryChatHistoryRoutes } from './memory-chat/history-routes';
import { memoryChatRoutes } from './memory-chat/chat-routes';
import { toRunData } from './run-data';
import { followRun } from './runs/follow-run';
import { runRoutes } from './runs/run-routes';
import { intentRoutes } from './intents/intent-routes';
import { semanticMemoryRoutes } from './memory/semantic-routes';
import { toolQueryRoutes } from './tools/query-routes';
import { toolRunRoutes } from './tools/execution-routes';
import { toolRoutes } from './tools/registry-routes';
import { workflowRunRoutes } from './workflows/execution-routes';
import { workflowRoutes } from './workflows/definition-routes';
import { modelLimits, toolLimits } from './runs/run-limits';
import { createBudgetPolicies } from './runs/budget-policies';
import { createApprovalPolicies } from './runs/approval-policies';
import { createTurnRuns } from './runs/turn-runs';
import { readPendingApprovals } from '../temporal/approvals/pending-approvals';
import { untilPaused } from '../temporal/approvals/until-paused';
import { approvalRoutes } from './approvals/approval-routes';
import { linkPages } from './approvals/link-pages';
import { linkRoute } from './approvals/link-route';
import { WORKFLOW_TYPES } from './runs/workflow-types';
import { createToolRuns } from './tools/tool-runs';
import { modelChooser, turnModelChooser } from './runs/choose-model';
import { createCustomRuns } from './workflows/custom-runs';
import { createPlannerRuns } from './runs/planner-runs';

export interface ApiPorts {
  readonly config: Config;
  readonly logger: Logger;
  readonly engine: Engine;
  readonly documents: DocumentStore;
  readonly sandbox: Sandbox;
  readonly models: ModelProviders;
  readonly registry: ToolRegistry;
  readonly statistics: ToolStatisticsStore;
  readonly intents: Intents;
  readonly memory: MemorySystem;
  readonly pseudonyms: Pseudonyms;
  readonly approvalLinks: ApprovalLinks;
  readonly metrics: Metrics;
  /** Absent: callers are not authenticated. */
  readonly authenticator?: Authenticator;
  /** The keys that administrators manage; absent: keys are not accepted. */
  readonly keys?: KeyStore;
  /** Whether a worker on the same connection may take a new run at once; absent: there is no such worker. */
  readonly eagerStart?: (() => boolean) | undefined;
  readonly runLink?: (run: StartedRun) => string;
}

/** Time for the responses that are sent when the grace time is over, milliseconds. */
const LAST_ANSWERS_MS = 1_000;

const INFO = {
  title: 'holdfast',
  description: 'Tools and workflows as durable Temporal workflows behind a REST API.',
};

/** Starts the API on its port. @throws HoldfastError `CONFIGURATION` where it cannot listen on the port */
export async function startApi(ports: ApiPorts): Promise<HttpServer> {
  const { config, logger, engine, documents, registry, statistics, intents, memory } = ports;
  const stopping = new AbortController();
  // Every request that waits for its run adds a listener, so their number has no limit.
  setMaxListeners(0, stopping.signal);
  const runs = createRunClient({
    engine,
    logger,
    taskQueue: config.TASK_QUEUE,
    waitLimitMs: config.WAIT_LIMIT_MS,
    eagerStart: ports.eagerStart,
    untilPaused: (run, signal) => untilPaused(engine, config.TASK_QUEUE, run, signal),
    stopping: stopping.signal,
  });
  const client = measuredRunClient(runs, ports.metrics);
  const cpu = startCpuMeter();
  const health = createHealthCheck({
    database: documents,
    store: config.neo4j === undefined ? 'embedded' : 'neo4j',
    registry,
    engine,
    workers: { polls: () => readAllPolls(engine, config.TASK_QUEUE) },
    faults: { read: () => readWorkerFaults(documents) },
    providers: ports.models.list(),
    allowPrivate: config.EGRESS_ALLOW_PRIVATE,
    cpu,
    // Only requests call this, so the server exists by then.
    connections: () => server.connections(),
  });
  const limits = config;
  const chooseModel = modelChooser(ports.models);
  const chooseForTurn = turnModelChooser(ports.models);
  const listsWaiting = (): boolean => engine.current().searchAttributes.has('HoldfastWaiting');
  const policies = createApprovalPolicies(config, listsWaiting);
  const budgets = createBudgetPolicies(config, readPrices(config.MODEL_PRICES_FILE), ports.pseudonyms);
  const planned = createPlannerRuns({ client, registry, policies, budgets, chooseModel, settings: config });
  const catalogue = createWorkflowCatalogue({
    documents,
    builtins: builtinWorkflows,
    maxWorkflows: config.MAX_WORKFLOWS,
  });
  const custom = createCustomRuns({
    client,
    catalogue,
    preparing: {
      registry,
      chooseModel,
      toolLimits: toolLimits(config),
      modelLimits: modelLimits(config),
    },
    settings: config,
    policies,
  });
  const turns = createTurnRuns({
    client,
    places: createSessionOrder({
      documents,
      now: Date.now,
      maxWaiting: config.SESSION_MAX_WAITING_TURNS,
      runState: (workflowId, placedAt) => readTurnState(engine, workflowId, placedAt),
    }),
    now: Date.now,
    pseudonyms: ports.pseudonyms,
    isErasing: (userId) => memory.erasures.isUnderWay(userId),
    pendingApprovals: (workflowId) => readPendingApprovals(engine, config.TASK_QUEUE, workflowId),
  });
  const chatStores = onceInitialized(memory.stores, memory.configuration);
  const approvalPorts = { engine, taskQueue: config.TASK_QUEUE, links: ports.approvalLinks };
  const feeds = new RunFeeds({ engine, logger, toData: toRunData });
  const app = createApp({
    config,
    logger,
    metrics: ports.metrics,
    info: INFO,
    authenticator: ports.authenticator,
    routes: [
      ...toolRoutes({ registry, statistics, sandbox: ports.sandbox, limits }),
      ...toolRunRoutes({ registry, runs: createToolRuns(client, config, policies), limits }),
      ...toolQueryRoutes(planned, limits),
      ...workflowRunRoutes({ planned, custom, limits }),
      ...workflowRoutes(catalogue, new Set(builtinWorkflows.map(({ id }) => id))),
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
      ...memoryExportRoutes(memory.stores, limits),
      ...memoryRunRoutes(
        createMemoryRuns({ client, erasures: memory.erasures, pseudonyms: ports.pseudonyms }),
        memory.stores,
        limits,
      ),
      agentInitializeRoute(memory.configuration),
      ...agentRoutes({
        runs: createAgentRuns({
          turns,
          registry,
          policies,
          budgets,
          chooseModel: chooseForTurn,
          settings: config,
        }),
        selfTest: createSelfTest({ client, chooseModel: chooseForTurn, settings: config }),
        status: () =>
          readAgentStatus({ configuration: memory.configuration, registry, models: ports.models }),
        checkInitialized: () => memory.configuration.requireInitialized('agent'),
        limits,
      }),
      memoryChatInitializeRoute(memory, ports.models),
      ...memoryChatHistoryRoutes(chatStores, limits),
      ...knowledgeRoutes(chatStores, limits),
      ...memoryChatRoutes({
        stores: chatStores,
        runs: createChatRuns({ turns, budgets, chooseModel: chooseForTurn, settings: config }),
        checkInitialized: () => memory.configuration.requireInitialized('memory-chat'),
        limits,
      }),
      ...runRoutes({
        engine,
        taskQueue: config.TASK_QUEUE,
        pseudonyms: ports.pseudonyms,
        toRunData,
        feeds,
      }),
      ...approvalRoutes({
        budgets,
        engine,
        scope: { taskQueue: config.TASK_QUEUE, workflowTypes: WORKFLOW_TYPES },
        pseudonyms: ports.pseudonyms,
      }),
      linkRoute({ ...approvalPorts, publicUrl: config.PUBLIC_URL }),
      ...healthRoutes(health),
      ...(ports.keys === undefined ? [] : keyRoutes(ports.keys)),
    ],
    pages: linkPages({ ...approvalPorts, budgets }),
    isReady: () => engine.isReachable(),
    stopping: stopping.signal,
    followRun: (run, options) => followRun(feeds, run, options),
    runLink: ports.runLink,
  });
  const server = await listen(app, { host: config.HOST, port: config.PORT, portSetting: 'PORT' });
  return {
    ...server,
    close(graceMs) {
      // Readers go on at another process, so they are not waited for.
      feeds.close();
      return closeInTime(server, graceMs, stopping);
    },
  };
}

/**
 * Closes the server. A caller that still waits for a run at the end of the grace time gets its trace id in an error
 * response.
 */
async function closeInTime(server: HttpServer, graceMs: number, stopping: AbortController): Promise<void> {
  const graceOver = setTimeout(
    () => stopping.abort(requestAbandoned('the service is being stopped')),
    graceMs,
  );
  try {
    await server.close(graceMs + LAST_ANSWERS_MS);
  } finally {
    clearTimeout(graceOver);
  }
}
