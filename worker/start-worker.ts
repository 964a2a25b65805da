import type { BytesInFlight } from '../src/base/async/bytes-in-flight';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../src/settings/config';
import { liveTexts } from '../activities/live-text';
import type { WebhookActivitiesPorts } from '../activities/webhooks';
import { readNextEvent } from '../requests/answers/next-event';
import { createCheckedFetch } from '../src/egress/checked-fetch';
import { createMessageSender } from '../src/webhooks/send-message';
import { createEgress } from '../src/egress/create-egress';
import { serveLiveTexts } from '../src/live-text/serve-live-texts';
import { messageOf } from '../src/base/errors';
import { drawsFactsByModel, type ModelProviders } from '../src/llm/model-providers';
import type { StandIns } from '../src/llm/stand-ins';
import { createPriceTable } from '../src/llm/prices';
import type { Logger } from '../src/base/logger';
import type { MemorySystem } from '../src/memory/create-memory-system';
import type { Metrics } from '../src/base/metrics';
import type { Memory } from '../src/memory/service/create-memory';
import type { RelayedVectors } from '../src/memory/vectors/vector-relay';
import { sweepFiles } from '../src/files/sweep-files';
import { sweepImports } from '../src/imports/sweep-imports';
import type { Rules } from '../src/rules/rules';
import type { SecretBox } from '../src/secrets/secret-box';
import type { Sandbox } from '../src/sandbox/sandbox';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import type { DocumentStore } from '../src/stores/documents';
import { createBuiltinTools } from '../src/tools/builtin';
import { createRedactor } from '../src/secrets/redactor';
import { measuredRunner, discreetRunner } from '../src/tools/measured-runner';
import type { ArgumentChecks } from '../src/tools/argument-check';
import { createHttpTools } from '../src/tools/http/http-tools';
import { createToolRunner, type ToolRunner } from '../src/tools/runner';
import type { RemoteTools } from '../src/tools/tool';
import type { PreviousProcess } from '../src/supervision/parent-link';
import type { Engine } from '../temporal/engine';
import { serverClock } from '../temporal/server-clock';
import { type BackgroundRun, startInBackground } from '../temporal/runs/background-run';
import { restartErasure } from '../temporal/runs/erasure-run';
import { readRunState } from '../temporal/runs/run-state';
import { sweepValues, type ValueSweep } from '../temporal/payloads/value-sweeper';
import { drawDueFacts, type TenantFacts } from './draw-due-facts';
import { type Chore, startHousekeeping } from './housekeeping';
import { watchEmbedder, runVectorRounds } from './embedder-watch';
import { watchWordIndex } from './word-index-watch';
import { exclusively } from './exclusively';
import { consolidationChores } from './consolidation-chores';
import { redrawChore } from './redraw-chore';
import { resumeErasures } from './resume-erasures';
import type { Activities, AddedActivities } from './queue-activities';
import { runWorkers } from './run-workers';
import { statisticsChores } from './statistics-chores';
import { createApprovalPolicies } from '../requests/approval-policies';
import { scheduledActions } from '../requests/scheduled-actions';
import { usageChore } from './usage-chore';
import { toDeploymentVersion } from './deployment';
import { createWorkerGuard } from './worker-guard';
import { createKeyStore } from '../src/access/key-store';
import { DEFAULT_TENANT } from '../src/contracts/tenants';
import type { Tenants } from '../src/tenants/tenants';
import { activitiesByRun, createActivities } from './activities';
import { callerResolver } from '../src/egress/dispatcher';

export interface WorkerPorts {
  readonly config: Config;
  readonly logger: Logger;
  readonly engine: Engine;
  readonly dataConverter: DataConverter;
  readonly sandbox: Sandbox;
  readonly largeJson: Pick<Sandbox, 'rewriteJson'>;
  readonly inFlight: BytesInFlight;
  readonly models: ModelProviders;
  readonly standIns: StandIns;
  /** Absent if English is read by a language model alone. */
  readonly rules: Rules | undefined;
  readonly tenants: Tenants;
  readonly memory: MemorySystem;
  /** Returns what the worker runs for a tenant beside the activities of `activities/`. Opens nothing. */
  readonly addedActivities: (tenant: string) => AddedActivities;
  readonly metrics: Metrics;
  readonly blobs: BlobStore;
  /** Seals the addresses of webhooks. */
  readonly secrets: SecretBox;
  readonly documents: DocumentStore;
  /** The process that ended abnormally and that this one replaces. */
  readonly previous?: PreviousProcess | undefined;
  /**
   * The worker takes no tasks before this resolves. If it is absent, the worker begins once the engine is
   * connected.
   */
  readonly mayBegin?: Promise<void> | undefined;
  /** Whether API and worker are this one process. */
  readonly isWholeService?: boolean | undefined;
  /** Called with the reason when this process can run no worker of a queue any more. */
  readonly fail: (reason: string) => void;
}

export interface StartedWorker {
  /** Resolves when every queue is polled. */
  readonly polling: Promise<void>;
  /** Whether every queue is polled now. */
  isPolling(): boolean;
  stop(): Promise<void>;
}

const SWEEP_EVERY_MS = 3_600_000;
/** Each round writes again what the index does not show yet, so the interval leaves the index time to show it. */
const MOVE_VECTORS_EVERY_MS = 10_000;
/** With rounds of up to a thousand vectors this pause is short enough to keep up with writers. */
const MOVE_MORE_VECTORS_AFTER_MS = 1_000;
const TIDY_VECTORS_EVERY_MS = 30_000;

/**
 * Builds the activities on their ports and runs a worker with them on each queue of WORKER_QUEUES.
 * @throws HoldfastError `CONFIGURATION` if the project was not built
 */
export async function startWorker(ports: WorkerPorts): Promise<StartedWorker> {
  const { config, logger, engine, sandbox, models, rules, tenants, memory, addedActivities, blobs } = ports;
  const reach = { allowPrivate: config.privateForRuns, maxBodyBytes: config.EGRESS_MAX_BODY_BYTES };
  const egress = createEgress({ ...reach, resolve: callerResolver(config.EGRESS_DNS) });
  const operatorEgress = createEgress(reach);
  const webhookFetch = createCheckedFetch({ ...reach, resolve: callerResolver(config.EGRESS_DNS) });
  const builtins = createBuiltinTools({
    egress,
    operatorEgress,
    sandbox,
    largeJson: ports.largeJson,
    fileRoot: config.FILE_ROOT,
    maxFileBytes: config.FILE_MAX_BYTES,
    weather: { forecastUrl: config.WEATHER_FORECAST_URL, geocodingUrl: config.WEATHER_GEOCODING_URL },
    names: config.BUILTIN_TOOLS,
  });
  const { MAX_RESULT_BYTES: maxResultBytes } = config;
  const { now } = serverClock;
  const redactor = createRedactor(config.REDACT_FIELDS);
  const { largeJson } = ports;
  const http = createHttpTools({ egress, largeJson, sandbox, secrets: ports.secrets, redactor });
  const createRunner = (remote: RemoteTools, checks: ArgumentChecks): ToolRunner =>
    discreetRunner(
      measuredRunner(
        createToolRunner({
          builtins,
          sandbox,
          checks,
          remote,
          http,
          inFlight: ports.inFlight,
          maxResultBytes,
          now,
        }),
        ports.metrics,
      ),
      redactor,
    );
  const keys = createKeyStore({ documents: ports.documents });
  const prices = createPriceTable(config);
  const { metrics, standIns, secrets, inFlight } = ports;
  const events = { engine, taskQueue: config.TASK_QUEUE, inFlight, redactor, now };
  const webhooks: WebhookActivitiesPorts = {
    nextEvent: (question, signal) => readNextEvent(events, question, signal),
    sender: createMessageSender({ fetch: webhookFetch, secrets, now }),
  };
  const shared = {
    config,
    engine,
    models,
    standIns,
    rules,
    createRunner,
    memory,
    addedActivities,
    blobs,
    webhooks,
    keys,
    metrics,
    logger,
    prices,
    secrets,
    configuration: memory.configuration,
    policies: createApprovalPolicies(config, engine),
    actions: scheduledActions(config),
  };
  const ofDefault = createActivities(shared, tenants.default);
  const names = Object.keys(ofDefault) as (keyof Activities)[];
  const activities = activitiesByRun(names, async (tenant) =>
    tenant === DEFAULT_TENANT ? ofDefault : createActivities(shared, await tenants.of(tenant)),
  );
  const guard = createWorkerGuard({
    dataDir: config.DATA_DIR,
    logger,
    documents: ports.documents,
    metrics: ports.metrics,
    isVersioned: toDeploymentVersion(config) !== undefined,
    windowMs: config.WORKER_UNFIT_RUN_WINDOW_MS,
    previous: ports.previous,
    patches: config.SDK_PATCHES,
  });
  const closeLiveTexts = await serveTexts(ports);
  const { dataConverter, mayBegin, fail } = ports;
  const workers = runWorkers({ config, engine, dataConverter, activities, logger, guard, mayBegin, fail });
  const isWholeService = ports.isWholeService === true;
  const start = (run: BackgroundRun): Promise<boolean> => startInBackground(engine, config.TASK_QUEUE, run);
  const embedder = watchEmbedder({ memory, logger, movesMemories: isWholeService, start });
  const words = watchWordIndex({ memory, logger, startsRun: isWholeService, start });
  const chores: Chore[] = [
    embedder.chore,
    words,
    ...vectorChores(memory),
    ...factChores(ports),
    resumeErasures({
      tenants,
      runState: (workflowId) => readRunState(engine, workflowId),
      startAgain: (erasure) => restartErasure(engine, config.TASK_QUEUE, erasure),
      now,
      logger,
    }),
    ...[
      ...statisticsChores(tenants),
      usageChore({ engine, tenants, prices, taskQueue: config.TASK_QUEUE }),
      ...sweeps(ports),
      redrawChore({
        tenants,
        isDue: async (tenant) => isRedrawDue(await (await tenants.of(tenant)).memory.open()),
        start,
      }),
      ...consolidationChores({ config, tenants, start }),
    ].map((chore) => exclusively(chore, ports.documents, now)),
  ];
  // A process that only runs activities does no housekeeping of the stores.
  const keepsHouse = config.WORKER_QUEUES.includes('workflows');
  const housekeeping = startHousekeeping(logger, keepsHouse ? chores : []);
  const stopping = new AbortController();
  if (keepsHouse) {
    void workers.polling.then(() =>
      Promise.all([embedder.announce(stopping.signal), words.run(stopping.signal)]),
    );
  }
  return {
    polling: workers.polling,
    isPolling: () => workers.isPolling(),
    async stop() {
      stopping.abort();
      await housekeeping.stop();
      await workers.stop();
      await Promise.all([closeLiveTexts?.(), egress.close(), operatorEgress.close(), webhookFetch.close()]);
    },
  };
}

/** Gives the texts of models to APIs. A worker whose port is taken works without: then heartbeats carry the texts. */
async function serveTexts({ config, logger }: WorkerPorts): Promise<(() => Promise<void>) | undefined> {
  if (!config.WORKER_QUEUES.includes('models')) return undefined;
  const { LIVE_TEXT_HOST: host, LIVE_TEXT_PORT: port } = config;
  try {
    return await serveLiveTexts(liveTexts, { host, port });
  } catch (error) {
    logger.warn(
      { host, port, reason: messageOf(error) },
      'the texts of models reach APIs only once a second',
    );
    return undefined;
  }
}

/** Facts are drawn anew only if there are rules that draw them. */
const isRedrawDue = async ({ redraw }: Memory): Promise<boolean> => (await redraw?.isDue()) ?? false;

/** The chore that starts runs which draw facts by the default model, if the settings want that. */
function factChores({ config, engine, models, tenants }: WorkerPorts): Chore[] {
  if (!drawsFactsByModel(config, models)) return [];
  const { provider, model } = models.resolve();
  const choice = { provider: provider.name, model };
  const price = createPriceTable(config).of(choice).models[model];
  const chore = drawDueFacts({
    tenants,
    async factsOf(tenant) {
      const { pseudonyms, memory } = await tenants.of(tenant);
      const owners: TenantFacts['owners'] = async (limit, after) =>
        (await memory.open()).modelFacts.owners(limit, after);
      return { pseudonyms, owners };
    },
    input: { choice, timeoutMs: config.LLM_TIMEOUT_MS, price },
    start: (run) => startInBackground(engine, config.TASK_QUEUE, run),
    runState: (workflowId) => readRunState(engine, workflowId),
  });
  return [chore];
}

/** The chores that remove what runs have left in the store that all processes share. */
function sweeps({ engine, blobs }: WorkerPorts): Chore[] {
  const isKnown = async (workflowId: string): Promise<boolean> =>
    (await readRunState(engine, workflowId)) !== 'unknown';
  const sweep = (signal: AbortSignal): ValueSweep => {
    const { namespaceId, retentionMs } = engine.current();
    return { blobs, namespaceId, retentionMs, isKnown, now: serverClock.now(), signal };
  };
  return [
    {
      name: 'stored values without a run',
      everyMs: SWEEP_EVERY_MS,
      run: async (signal) => sweepValues(sweep(signal)),
    },
    {
      name: 'uploads without an import, and rows of imports without a run',
      everyMs: SWEEP_EVERY_MS,
      run: async (signal) => sweepImports(sweep(signal)),
    },
    {
      name: 'files of users that have expired',
      everyMs: SWEEP_EVERY_MS,
      run: async (signal) => sweepFiles(sweep(signal)),
    },
  ];
}

/**
 * The chores that move vectors to an index outside of the graph, and that remove vectors of former embedding models.
 */
function vectorChores({ openStores }: MemorySystem): Chore[] {
  const round = async (signal: AbortSignal): Promise<RelayedVectors | undefined> =>
    (await openStores()).relay?.round(signal);
  return [
    {
      name: 'vectors that the index shows by now',
      everyMs: MOVE_VECTORS_EVERY_MS,
      run: (signal) => runVectorRounds({ round, pauseMs: MOVE_MORE_VECTORS_AFTER_MS }, signal),
    },
    {
      name: 'vectors of former embedding models',
      everyMs: TIDY_VECTORS_EVERY_MS,
      run: async (signal) => (await openStores()).staleVectors?.round(signal) ?? 0,
    },
  ];
}
