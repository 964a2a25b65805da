import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { createIntentActivities } from '../activities/intents';
import { createMemoryActivities } from '../activities/memory';
import { createModelActivities } from '../activities/models';
import { createRecordActivities } from '../activities/records';
import { createToolActivities } from '../activities/tools';
import type { Config } from '../src/config';
import { createEgress } from '../src/egress/create-egress';
import type { Intents } from '../src/intent/service/create-intents';
import type { ModelProviders } from '../src/llm/create-providers';
import type { Logger } from '../src/logger';
import type { Memory } from '../src/memory/create-memory';
import { moveHeldVectors } from '../src/memory/move-held-vectors';
import { createImportFiles } from '../src/records/import/create-import-files';
import type { Sandbox } from '../src/sandbox/sandbox';
import type { RecordStore } from '../src/stores/records/record-store';
import { createBuiltinTools } from '../src/tools/builtin';
import type { ToolRegistry } from '../src/tools/registry';
import { createToolRunner } from '../src/tools/runner';
import type { ToolStatisticsStore } from '../src/tools/statistics';
import type { Engine } from '../temporal/engine';
import { sweepPayloads } from '../temporal/payload-sweeper';
import type { Chore } from './housekeeping';
import { startHousekeeping } from './housekeeping';
import { runWorker } from './run-worker';

export interface WorkerPorts {
  readonly config: Config;
  readonly logger: Logger;
  readonly engine: Engine;
  readonly dataConverter: DataConverter;
  readonly sandbox: Sandbox;
  readonly models: ModelProviders;
  readonly registry: ToolRegistry;
  readonly statistics: ToolStatisticsStore;
  readonly intents: Intents;
  readonly memory: Memory;
  readonly recordStore: RecordStore;
}

export interface StartedWorker {
  /** Resolves when the worker takes work. */
  readonly polling: Promise<void>;
  stop(): Promise<void>;
}

/** One round takes at most 10,000 outcomes, so this keeps up with 80 calls a second. */
const PRUNE_EVERY_MS = 120_000;
const SWEEP_EVERY_MS = 3_600_000;
/** Each round puts again what the index does not show yet, so it leaves it some time. */
const MOVE_VECTORS_EVERY_MS = 10_000;
const MOST_VECTORS_MOVED = 1_000;

/**
 * Builds the activities on their ports and runs a worker with them.
 * @throws HoldfastError `CONFIGURATION` where the project was not built
 */
export async function startWorker(ports: WorkerPorts): Promise<StartedWorker> {
  const { config, logger, engine, sandbox, models, registry, statistics, intents, memory } = ports;
  const egress = createEgress({
    allowPrivate: config.EGRESS_ALLOW_PRIVATE,
    maxBodyBytes: config.EGRESS_MAX_BODY_BYTES,
  });
  const builtins = createBuiltinTools({
    egress,
    sandbox,
    fileRoot: config.FILE_ROOT,
    maxFileBytes: config.FILE_MAX_BYTES,
    weather: { forecastUrl: config.WEATHER_FORECAST_URL, geocodingUrl: config.WEATHER_GEOCODING_URL },
  });
  const runner = createToolRunner({ builtins, sandbox, maxResultBytes: config.MAX_RESULT_BYTES });
  const activities = {
    ...createToolActivities({ runner, statistics }),
    ...createModelActivities({ provider: (name) => models.get(name), registry }),
    ...createIntentActivities(intents),
    ...createMemoryActivities(memory),
    ...createRecordActivities({ files: createImportFiles(config), store: ports.recordStore }),
  };
  const worker = runWorker({ config, engine, dataConverter: ports.dataConverter, activities, logger });
  const housekeeping = startHousekeeping(logger, [
    ...outboxOf(memory),
    { name: 'expired statistics', everyMs: PRUNE_EVERY_MS, run: () => statistics.prune() },
    {
      name: 'stored values without a run',
      everyMs: SWEEP_EVERY_MS,
      run: async (signal) => {
        const { client, namespaceId } = engine.current();
        return sweepPayloads({ root: payloadDir(config), namespaceId, client, now: Date.now(), signal });
      },
    },
  ]);
  return {
    polling: worker.polling,
    async stop() {
      await housekeeping.stop();
      await worker.stop();
      await egress.close();
    },
  };
}

/** Where values that travel by reference are kept. */
export function payloadDir(config: Pick<Config, 'DATA_DIR'>): string {
  return join(config.DATA_DIR, 'payloads');
}

/** Vectors on their way to an index outside of the graph. */
function outboxOf({ graph, index }: Memory): Chore[] {
  if (index === undefined) return [];
  const run = async (signal: AbortSignal): Promise<number> => {
    const { released } = await moveHeldVectors({ graph, index, limit: MOST_VECTORS_MOVED, signal });
    return released;
  };
  return [{ name: 'vectors that the index shows by now', everyMs: MOVE_VECTORS_EVERY_MS, run }];
}
