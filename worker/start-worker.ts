import type { BytesInFlight } from '../src/base/async/bytes-in-flight';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../src/settings/config';
import { callerResolver } from '../src/egress/caller-resolver';
import { createEgress } from '../src/egress/create-egress';
import { drawsFactsByModel, type ModelProviders } from '../src/llm/model-providers';
import type { StandIns } from '../src/llm/stand-ins';
import { createPriceTable } from '../src/llm/prices';
import type { Logger } from '../src/base/logger';
import type { MemorySystem } from '../src/memory/create-memory-system';
import type { Metrics } from '../src/base/metrics';
import type { TenantMemory } from '../src/memory/service/create-memory';
import type { RelayedVectors } from '../src/memory/vectors/vector-relay';
import { sweepImports } from '../src/imports/sweep-imports';
import type { Rules } from '../src/rules/rules';
import type { Sandbox } from '../src/sandbox/sandbox';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import type { DocumentStore } from '../src/stores/documents';
import { createBuiltinTools } from '../src/tools/builtin';
import { createRedactor } from '../src/secrets/redactor';
import { discreetRunner } from '../src/tools/discreet-runner';
import { measuredRunner } from '../src/tools/measured-runner';
import type { ArgumentChecks } from '../src/tools/argument-check';
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
import { watchEmbedder } from './embedder-watch';
import { watchWordIndex } from './word-index-watch';
import { exclusively } from './exclusively';
import { consolidationChores } from './consolidation-chores';
import { redrawChore } from './redraw-chore';
import { resumeErasures } from './resume-erasures';
import { runWorkers } from './run-workers';
import { statisticsChores } from './statistics-chores';
import { runVectorRounds } from './vector-rounds';
import { toDeploymentVersion } from './deployment';
import { createWorkerGuard } from './worker-guard';
import { createKeyStore } from '../src/access/key-store';
import type { Tenants } from '../src/tenants/tenants';
import type { RecordStores } from '../src/stores/records/record-stores';
import { createActivities, dispatchByTenant } from './tenant-activities';

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
  readonly recordStores: RecordStores;
  readonly metrics: Metrics;
  readonly blobs: BlobStore;
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
  const { config, logger, engine, sandbox, models, rules, tenants, memory, recordStores, blobs } = ports;
  const reach = { allowPrivate: config.privateForRuns, maxBodyBytes: config.EGRESS_MAX_BODY_BYTES };
  const egress = createEgress({ ...reach, resolve: callerResolver(config.EGRESS_DNS) });
  const operatorEgress = createEgress(reach);
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
  const createRunner = (remote: RemoteTools, checks: ArgumentChecks): ToolRunner =>
    discreetRunner(
      measuredRunner(
        createToolRunner({
          builtins,
          sandbox,
          checks,
          remote,
          inFlight: ports.inFlight,
          maxResultBytes,
          now,
        }),
        ports.metrics,
      ),
      redactor,
    );
  const keys = createKeyStore({ documents: ports.documents });
  const { metrics, standIns } = ports;
  const shared = {
    config,
    engine,
    models,
    standIns,
    rules,
    createRunner,
    memory,
    recordStores,
    blobs,
    keys,
    metrics,
  };
  const activities = dispatchByTenant(createActivities(shared, tenants.default), async (tenant) =>
    createActivities(shared, await tenants.of(tenant)),
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
      ...sweeps(ports),
      redrawChore({
        tenants,
        isDue: async (tenant) => (await tenants.of(tenant)).memory.stores.use(isRedrawDue),
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
      await Promise.all([egress.close(), operatorEgress.close()]);
    },
  };
}

/** Facts are drawn anew only if there are rules that draw them. */
const isRedrawDue = async ({ redraw }: TenantMemory): Promise<boolean> => (await redraw?.isDue()) ?? false;

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
      const owners: TenantFacts['owners'] = (limit, after) =>
        memory.stores.use(({ service }) => service.modelFacts.owners(limit, after));
      return { pseudonyms, owners };
    },
    input: { choice, timeoutMs: config.LLM_TIMEOUT_MS, ...(price === undefined ? {} : { price }) },
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
  ];
}

/**
 * The chores that move vectors to an index outside of the graph, and that remove vectors of former embedding models.
 */
function vectorChores({ allStores }: MemorySystem): Chore[] {
  const round = (signal: AbortSignal): Promise<RelayedVectors | undefined> =>
    allStores.use(async ({ relay }) => relay?.round(signal));
  return [
    {
      name: 'vectors that the index shows by now',
      everyMs: MOVE_VECTORS_EVERY_MS,
      run: (signal) => runVectorRounds({ round, pauseMs: MOVE_MORE_VECTORS_AFTER_MS }, signal),
    },
    {
      name: 'vectors of former embedding models',
      everyMs: TIDY_VECTORS_EVERY_MS,
      run: (signal) => allStores.use(async ({ staleVectors }) => staleVectors?.round(signal) ?? 0),
    },
  ];
}
