import type { DataConverter } from '@temporalio/common';
import { createAgentActivities } from '../activities/agent';
import { createConversationActivities } from '../activities/conversation';
import { createIntentActivities } from '../activities/intents';
import { createMemoryActivities } from '../activities/memory';
import { createModelActivities } from '../activities/models';
import { createRecordActivities } from '../activities/records';
import { createToolActivities } from '../activities/tools';
import type { Config } from '../src/settings/config';
import { createAnswerer } from '../src/conversation/answerer';
import { createEgress } from '../src/egress/create-egress';
import type { Intents } from '../src/intent/service/create-intents';
import type { ModelProviders } from '../src/llm/model-providers';
import type { Logger } from '../src/base/logger';
import type { MemorySystem } from '../src/memory/create-memory-system';
import type { Metrics } from '../src/base/metrics';
import type { RelayedVectors } from '../src/memory/vectors/vector-relay';
import { createImportFiles } from '../src/records/import/create-import-files';
import { sweepImports } from '../src/records/import/sweep-imports';
import type { Rules } from '../src/rules/rules';
import type { Sandbox } from '../src/sandbox/sandbox';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import type { DocumentStore } from '../src/stores/documents';
import type { RecordStore } from '../src/stores/records/record-store';
import { createBuiltinTools } from '../src/tools/builtin';
import type { Pseudonyms } from '../src/secrets/pseudonyms';
import { RUN_USER } from '../src/secrets/pseudonyms';
import type { ToolRegistry } from '../src/tools/registry';
import { measuredRunner } from '../src/tools/measured-runner';
import { createToolRunner } from '../src/tools/runner';
import type { ToolStatisticsStore } from '../src/tools/statistics';
import type { PreviousProcess } from '../src/supervision/parent-link';
import type { Engine } from '../temporal/engine';
import { restartErasure } from '../temporal/erasure-run';
import { readRunState } from '../temporal/run-state';
import { newId } from '../src/base/ids';
import { forgetSpending } from '../src/llm/forget-spending';
import { createSpendingLedger } from '../src/llm/spending-ledger';
import { forgetPlaces } from '../src/conversation/forget-places';
import { deleteUserRuns } from '../temporal/user-runs';
import type { ValueSweep } from '../temporal/value-sweeper';
import { sweepValues } from '../temporal/value-sweeper';
import type { Chore } from './housekeeping';
import { startHousekeeping } from './housekeeping';
import { exclusively } from './exclusively';
import { resumeErasures } from './resume-erasures';
import { runWorkers } from './run-workers';
import { statisticsChores } from './statistics-chores';
import { runVectorRounds } from './vector-rounds';
import { createWorkerGuard } from './worker-guard';

export interface WorkerPorts {
  readonly config: Config;
  readonly logger: Logger;
  readonly engine: Engine;
  readonly dataConverter: DataConverter;
  readonly sandbox: Sandbox;
  readonly models: ModelProviders;
  /** Absent where English is read by a language model alone. */
  readonly rules: Rules | undefined;
  readonly registry: ToolRegistry;
  readonly statistics: ToolStatisticsStore;
  readonly intents: Intents;
  readonly memory: MemorySystem;
  readonly pseudonyms: Pseudonyms;
  readonly recordStore: RecordStore;
  readonly metrics: Metrics;
  readonly blobs: BlobStore;
  readonly documents: DocumentStore;
  /** The process that ended abnormally and that this one replaces. */
  readonly previous?: PreviousProcess | undefined;
  /**
   * The worker takes no tasks before this resolves. Where it is absent, the worker begins once the engine is
   * connected.
   */
  readonly mayBegin?: Promise<void> | undefined;
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
 * @throws HoldfastError `CONFIGURATION` where the project was not built
 */
export async function startWorker(ports: WorkerPorts): Promise<StartedWorker> {
  const {
    config,
    logger,
    engine,
    sandbox,
    models,
    rules,
    registry,
    statistics,
    intents,
    memory,
    pseudonyms,
    blobs,
  } = ports;
  const importFiles = createImportFiles(blobs, config);
  const egress = createEgress({
    allowPrivate: config.privateForRuns,
    maxBodyBytes: config.EGRESS_MAX_BODY_BYTES,
  });
  const builtins = createBuiltinTools({
    egress,
    sandbox,
    fileRoot: config.FILE_ROOT,
    maxFileBytes: config.FILE_MAX_BYTES,
    weather: { forecastUrl: config.WEATHER_FORECAST_URL, geocodingUrl: config.WEATHER_GEOCODING_URL },
    names: config.BUILTIN_TOOLS,
  });
  const { MAX_RESULT_BYTES: maxResultBytes } = config;
  const runner = measuredRunner(createToolRunner({ builtins, sandbox, maxResultBytes }), ports.metrics);
  const ledger = createSpendingLedger({ documents: ports.documents, newId, now: Date.now });
  const activities = {
    ...createToolActivities({ runner, statistics }),
    ...createModelActivities({ provider: (name) => models.get(name), registry, ledger }),
    ...createIntentActivities(intents),
    ...createMemoryActivities({
      ...memory,
      async eraseUserRuns(userId, signal) {
        const user = pseudonyms(RUN_USER, userId);
        const erased = await deleteUserRuns({ engine, blobs }, user, signal);
        if (!erased.done) return erased;
        await forgetPlaces({ documents: ports.documents, now: Date.now }, user, signal);
        await forgetSpending(ports.documents, user, signal);
        return erased;
      },
    }),
    ...createConversationActivities({
      recall: {
        recall: (query, signal) => memory.stores.use(({ service }) => service.recall.recall(query, signal)),
      },
      messages: {
        store: (messages, signal) =>
          memory.stores.use(({ service }) => service.messages.store(messages, signal)),
      },
      answerer: createAnswerer({
        provider: (name) => models.get(name),
        rules: rules && { conversation: rules.conversation, provider: models.get('builtin') },
        ledger,
        hasModel: models.list().some((name) => name !== 'builtin'),
      }),
      runState: (workflowId, placedAt) => readRunState(engine, workflowId, placedAt),
    }),
    ...createAgentActivities({
      classification: intents.classificationForTurns,
      statistics: intents.statistics,
      rules: rules?.conversation,
    }),
    ...createRecordActivities({ files: importFiles, store: ports.recordStore }),
  };
  const guard = createWorkerGuard({
    dataDir: config.DATA_DIR,
    logger,
    documents: ports.documents,
    metrics: ports.metrics,
    previous: ports.previous,
  });
  const { dataConverter, mayBegin } = ports;
  const workers = runWorkers({ config, engine, dataConverter, activities, logger, guard, mayBegin });
  const chores: Chore[] = [
    ...vectorChores(memory),
    resumeErasures({
      erasures: memory.erasures,
      runState: (workflowId) => readRunState(engine, workflowId),
      startAgain: (erasureId) => restartErasure(engine, config.TASK_QUEUE, erasureId),
      now: Date.now,
      logger,
    }),
    ...[...statisticsChores({ tools: statistics, intents: intents.statistics }), ...sweeps(ports)].map(
      (chore) => exclusively(chore, ports.documents),
    ),
  ];
  // A process that only runs activities does no housekeeping of the stores.
  const housekeeping = startHousekeeping(logger, config.WORKER_QUEUES.includes('workflows') ? chores : []);
  return {
    polling: workers.polling,
    isPolling: () => workers.isPolling(),
    async stop() {
      await housekeeping.stop();
      await workers.stop();
      await egress.close();
    },
  };
}

/** The chores that remove what runs have left in the store that all processes share. */
function sweeps({ engine, blobs }: WorkerPorts): Chore[] {
  const isKnown = async (workflowId: string): Promise<boolean> =>
    (await readRunState(engine, workflowId)) !== 'unknown';
  const sweep = (signal: AbortSignal): ValueSweep => {
    const { namespaceId, retentionMs } = engine.current();
    return { blobs, namespaceId, retentionMs, isKnown, now: Date.now(), signal };
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
function vectorChores({ stores }: MemorySystem): Chore[] {
  const round = (signal: AbortSignal): Promise<RelayedVectors | undefined> =>
    stores.use(async ({ relay }) => relay?.round(signal));
  return [
    {
      name: 'vectors that the index shows by now',
      everyMs: MOVE_VECTORS_EVERY_MS,
      run: (signal) => runVectorRounds({ round, pauseMs: MOVE_MORE_VECTORS_AFTER_MS }, signal),
    },
    {
      name: 'vectors of former embedding models',
      everyMs: TIDY_VECTORS_EVERY_MS,
      run: (signal) => stores.use(async ({ staleVectors }) => staleVectors?.round(signal) ?? 0),
    },
  ];
}
