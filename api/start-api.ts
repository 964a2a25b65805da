import { setMaxListeners } from 'node:events';
import type { Authenticator } from '../src/access/authenticator';
import type { KeyStore } from '../src/access/key-store';
import { onceForEach } from '../src/base/async/once-for-each';
import type { BytesInFlight } from '../src/base/async/bytes-in-flight';
import type { Config } from '../src/settings/config';
import type { ModelProviders } from '../src/llm/model-providers';
import { createPriceTable } from '../src/llm/prices';
import { describeStandIns } from '../src/llm/stand-ins';
import { HoldfastError } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import type { Metrics } from '../src/base/metrics';
import type { MemorySystem } from '../src/memory/create-memory-system';
import { readEmbedderView } from '../src/memory/vectors/embedder-view';
import { MAX_FILE_BYTES } from '../src/contracts/http/files';
import { createEgress } from '../src/egress/create-egress';
import { callerResolver } from '../src/egress/dispatcher';
import type { Sandbox } from '../src/sandbox/sandbox';
import { createRedactor } from '../src/secrets/redactor';
import { queuesOf } from '../src/settings/external-queues';
import type { SecretBox } from '../src/secrets/secret-box';
import type { Pseudonyms } from '../src/secrets/pseudonyms';
import type { DiskWatch } from '../src/stores/disk-watch';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import type { DocumentStore } from '../src/stores/documents';
import type { ToolRegistry } from '../src/tools/registry';
import type { Engine } from '../temporal/engine';
import { RunFeeds } from '../temporal/run-events/run-feeds';
import type { StartedRun } from '../temporal/runs/started-run';
import { measuredRunClient } from '../temporal/runs/measured-run-client';
import { createRunClient } from '../temporal/runs/run-client';
import { serverClock } from '../temporal/server-clock';
import { pollsOfQueues, readAllPolls } from '../temporal/task-queues';
import { createHealthCheck, type HealthCheck, startCpuMeter } from './health/health-check';
import { API_SCHEMAS } from './api-schemas';
import { createApp } from './app';
import { type HttpServer, listen } from './http/server';
import { requestAbandoned } from './http/middleware/request-context';
import { toRunData } from '../requests/answers/run-data';
import { followRun } from './runs/follow-run';
import { createBudgetPolicies } from '../requests/budget-policies';
import { agentRequestSchemas } from '../requests/agent-requests';
import { scheduledActions } from '../requests/scheduled-actions';
import { createApprovalPolicies } from '../requests/approval-policies';
import { chooseWebhook } from '../requests/webhooks';
import { untilPaused } from '../temporal/approvals/until-paused';
import { linkPages } from './approvals/link-pages';
import { createMcp, loginPage, MCP_HEADERS, type McpAdditions } from '../packages/mcp';
import { OPENAI_HEADERS } from './openai/mount';
import { openAiOperations } from './openai/operations';
import { DEFAULT_TENANT } from '../src/contracts/tenants';
import type { Tenants } from '../src/tenants/tenants';
import { WORKFLOW_TYPES } from '../requests/workflow-types';
import { DEFINITION_SCHEMA_PATH, definitionSchema } from './workflows/definition-schema';
import { createApiRoutes } from './api-routes';
import { createServices, type SharedPorts } from './services';
import { identifyBy } from './http/caller-identity';
import type { ApprovalLinks, LoginStates, RunTokens } from '../src/secrets/signed-texts';
import { readWorkerFaults } from '../src/worker-faults/strikes';

export interface ApiPorts {
  readonly config: Config;
  readonly logger: Logger;
  readonly engine: Engine;
  /** Those of all tenants, whose store health checks ask, like that of the memories. */
  readonly documents: DocumentStore;
  readonly sandbox: Sandbox;
  readonly blobs: BlobStore;
  readonly models: ModelProviders;
  readonly tenants: Tenants;
  readonly memory: Pick<MemorySystem, 'openStores' | 'configuration'>;
  readonly pseudonyms: Pseudonyms;
  readonly approvalLinks: ApprovalLinks;
  /** Signs the tokens by which one run is read. */
  readonly runTokens: RunTokens;
  /** Signs what people bring back from a login at a remote server. */
  readonly loginStates: LoginStates;
  readonly secrets: SecretBox;
  readonly metrics: Metrics;
  readonly disk: DiskWatch;
  readonly inFlight: BytesInFlight;
  /** Absent: callers are not authenticated. */
  readonly authenticator?: Authenticator;
  /** The keys that administrators manage; absent: keys are not accepted. */
  readonly keys?: KeyStore;
  /** Whether a worker on the same connection may take a new run at once; absent: there is no such worker. */
  readonly eagerStart?: (() => boolean) | undefined;
  readonly runLink?: (run: StartedRun) => string;
  readonly mcpAdditions?: McpAdditions | undefined;
  /** The address of the records API where callers reach it; absent: it is not known. */
  readonly recordsUrl?: string | undefined;
}

/** Time for the responses that are sent when the grace time is over, milliseconds. */
const LAST_ANSWERS_MS = 1_000;

/** What the OpenAPI document says of the API. */
export const API_INFO = {
  title: 'holdfast',
  description:
    'Tools, workflows, an agent and its memory behind a REST API. Everything that is started is a durable Temporal workflow.',
  schemas: API_SCHEMAS,
};

/** Starts the API on its port. @throws HoldfastError `CONFIGURATION` if it cannot listen on the port */
export async function startApi(ports: ApiPorts): Promise<HttpServer> {
  const { config, logger, engine, documents, memory, tenants, pseudonyms, authenticator } = ports;
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
  const egress = createEgress({
    allowPrivate: config.privateForRuns,
    maxBodyBytes: MAX_FILE_BYTES,
    resolve: callerResolver(config.EGRESS_DNS),
  });
  const cpu = startCpuMeter();
  const pingDatabases = async (): Promise<void> => {
    await Promise.all([documents.ping(), pingMemories(memory)]);
  };
  const createHealth = (registry: ToolRegistry, tenant: string): HealthCheck =>
    createHealthCheck({
      database: { ping: pingDatabases },
      store: config.neo4j === undefined ? 'embedded' : 'neo4j',
      registry,
      disk: ports.disk,
      engine,
      workers: { polls: () => readAllPolls(engine, config.TASK_QUEUE) },
      externalQueues: {
        polls: () => pollsOfQueues(engine, queuesOf(config.EXTERNAL_QUEUES, tenant)),
      },
      faults: { read: () => readWorkerFaults(documents) },
      embedder: { read: () => memory.openStores().then(readEmbedderView) },
      standIns: { describe: () => describeStandIns(documents) },
      providers: ports.models.list(),
      allowPrivate: config.EGRESS_ALLOW_PRIVATE,
      skewMs: serverClock.skewMs,
      cpu,
      // Only requests call this, so the server exists by then.
      connections: () => server.connections(),
    });
  const prices = createPriceTable(config);
  const redactor = createRedactor(config.REDACT_FIELDS);
  const feeds = new RunFeeds({
    engine,
    logger,
    toData: toRunData,
    redactor,
    inFlight: ports.inFlight,
  });
  const shown = { taskQueue: config.TASK_QUEUE, workflowTypes: WORKFLOW_TYPES, toData: toRunData };
  const shared: SharedPorts = {
    ...ports,
    keys: ports.keys,
    prices,
    policies: createApprovalPolicies(config, engine),
    actions: scheduledActions(config),
    client: measuredRunClient(runs, ports.metrics),
    feeds,
    shown,
    createHealth,
  };
  // What the requests of a tenant may use.
  const servicesOf = onceForEach(async (tenant) => createServices(shared, await tenants.of(tenant)));
  const mcp =
    config.MCP_OFFER.length === 0
      ? undefined
      : createMcp({
          logger,
          metrics: ports.metrics,
          engine,
          shown,
          feeds,
          secrets: ports.secrets,
          offered: new Set(config.MCP_OFFER),
          listTtlMs: config.MCP_LIST_TTL_MS,
          waitLimitMs: config.WAIT_LIMIT_MS,
          offerOf: async (tenant) => (await servicesOf(tenant)).offer,
          additions: ports.mcpAdditions,
        });
  const webhookOf = (body: unknown) =>
    chooseWebhook({ engine, secrets: ports.secrets, settings: config }, body);
  const app = createApp({
    config,
    logger,
    metrics: ports.metrics,
    info: API_INFO,
    publishedSchemas: { [DEFINITION_SCHEMA_PATH]: definitionSchema },
    redactor,
    authentication: authenticator && { authenticator, identify: identifyBy(pseudonyms) },
    protectedResource: { publicUrl: config.PUBLIC_URL, tokens: config.authentication.tokens },
    runTokens: { tokens: ports.runTokens, keys: ports.keys, now: serverClock.now },
    routes: createApiRoutes(shared),
    servicesOf,
    hooks: {
      // A stranger's request must not make a tenant.
      servicesOf: async (tenant) =>
        tenant === DEFAULT_TENANT || (await tenants.list()).includes(tenant) ? servicesOf(tenant) : undefined,
    },
    mcp,
    openai: {
      operations: openAiOperations({
        engine,
        shown,
        feeds,
        memory,
        blobs: ports.blobs,
        files: { egress, allowPrivate: config.EGRESS_ALLOW_PRIVATE },
        waitLimitMs: config.WAIT_LIMIT_MS,
        links: ports.approvalLinks,
        turnSchema: agentRequestSchemas(config).execute,
        publicUrl: config.PUBLIC_URL,
      }),
      servicesOf,
      webhookOf,
    },
    ...(config.CORS_ORIGINS.length === 0
      ? {}
      : {
          crossOrigin: {
            origins: config.CORS_ORIGINS,
            anyMayRead: false,
            loopback: false,
            further: {
              allow: [...MCP_HEADERS.allow, ...OPENAI_HEADERS.allow],
              expose: [...MCP_HEADERS.expose, ...OPENAI_HEADERS.expose],
            },
          },
        }),
    pages: [
      ...linkPages({
        engine,
        taskQueue: config.TASK_QUEUE,
        links: ports.approvalLinks,
        budgets: createBudgetPolicies(config, prices, pseudonyms),
        argumentChecks: tenants.default.argumentChecks,
      }),
      loginPage({
        tenants,
        states: ports.loginStates,
        keys: ports.keys,
        authenticated: authenticator !== undefined,
      }),
    ],
    console: config.CONSOLE === 'on',
    links: () => ({
      tools: '/api/tools',
      workflows: '/api/workflow/workflows',
      agent: '/api/agent/status',
      runs: '/api/runs',
      approvals: '/api/approvals',
      webhooks: '/api/webhooks/deliveries',
      health: '/api/health',
      records: ports.recordsUrl,
    }),
    isReady: () => engine.isReachable() && !ports.disk.isFull(),
    stopping: stopping.signal,
    inFlight: ports.inFlight,
    followRun: (run, options) => followRun(feeds, run, options),
    webhookOf,
    runLink: ports.runLink,
  });
  const server = await listen(app, { host: config.HOST, port: config.PORT, portSetting: 'PORT' });
  return {
    ...server,
    async close(graceMs) {
      // Readers go on at another process, so they are not waited for.
      feeds.close();
      mcp?.beginToStop();
      await closeInTime(server, graceMs, stopping);
      await Promise.all([mcp?.close(), egress.close()]);
    },
  };
}

/** The error has no reason, because basic health is open and an initialization may have named the server of the memories. */
async function pingMemories({ openStores }: ApiPorts['memory']): Promise<void> {
  try {
    await (await openStores()).graph.ping();
  } catch (cause) {
    throw new HoldfastError('STORE_UNAVAILABLE', 'The store of memories cannot be used', { cause });
  }
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
