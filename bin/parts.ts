import { join } from 'node:path';
import { startApi } from '../api/start-api';
import type { HttpServer } from '../api/http/server';
import { startRecords } from '../api/start-records';
import { HoldfastError, isHoldfastError, messageOf } from '../src/errors';
import type { Intents } from '../src/intent/service/create-intents';
import { createIntents } from '../src/intent/service/create-intents';
import { createBuiltinProvider } from '../src/llm/builtin';
import type { ModelProviders } from '../src/llm/create-providers';
import { createProviders } from '../src/llm/create-providers';
import { createSandbox } from '../src/sandbox';
import type { Sandbox } from '../src/sandbox/sandbox';
import { loadKey } from '../src/secrets/load-key';
import { createSecretBox } from '../src/secrets/secret-box';
import { createDocumentStore } from '../src/stores/create-document-store';
import type { DocumentStore } from '../src/stores/documents';
import { builtinDefinitions } from '../src/tools/builtin/declarations';
import type { ToolRegistry } from '../src/tools/registry';
import { createToolRegistry } from '../src/tools/registry';
import type { ToolStatisticsStore } from '../src/tools/statistics';
import { createToolStatistics } from '../src/tools/statistics';
import { createDataConverter } from '../temporal/data-converter';
import type { Engine } from '../temporal/engine';
import { createEngine } from '../temporal/engine';
import type { StartedRun } from '../temporal/started-run';
import { installRuntime } from '../temporal/runtime';
import type { StartedWorker } from '../worker/start-worker';
import { payloadDir, startWorker } from '../worker/start-worker';
import type { Part } from './process';

/** Bounds nobody has had a reason to change; the others are settings. */
const SANDBOX_LIMITS = { stackBytes: 512 * 1_024, logLines: 100, logLineLength: 1_000 };

/** What an HTTP server takes beyond the grace time for its last answers, at most, milliseconds. */
const LAST_ANSWERS_MS = 1_000;
/** What a worker takes beyond the grace time, at most: the SDK's forced end, and what closes after it. */
const WORKER_FORCE_MS = 7_000;

/** What API and worker have in common; in one process they share it. */
export interface Foundation {
  readonly engine: Engine;
  readonly documents: DocumentStore;
  readonly sandbox: Sandbox;
  readonly dataConverter: ReturnType<typeof createDataConverter>;
  readonly models: ModelProviders;
  readonly registry: ToolRegistry;
  readonly statistics: ToolStatisticsStore;
  readonly intents: Intents;
}

export interface FoundationOptions {
  /** Address of a development server of our own; absent: the configured one. */
  readonly temporalAddress?: string;
}

/** Opens the stores and begins to look for the engine. */
export async function openFoundation(
  part: Part,
  { temporalAddress }: FoundationOptions = {},
): Promise<Foundation> {
  const { config, logger, release } = part;
  // Reaches out to none of them, but a setting that makes no sense is told before anything is opened.
  const builtin = createBuiltinProvider();
  const models = createProviders(config, builtin);
  installRuntime(logger);
  const documents = createDocumentStore({ path: join(config.DATA_DIR, 'holdfast.db') });
  release(() => documents.close());
  const registry = createToolRegistry({
    documents,
    builtins: builtinDefinitions,
    maxTools: config.MAX_TOOLS,
  });
  await usableAs(`DATA_DIR (${config.DATA_DIR})`, async () => {
    await documents.ping();
    await registry.seed();
  });

  const statistics = createToolStatistics({ documents, retentionMs: config.STATISTICS_RETENTION_MS });
  const key = await loadKey({ setting: config.SECRETS_KEY, file: join(config.DATA_DIR, 'secrets.key') });
  const intents = createIntents({
    config,
    documents,
    secrets: createSecretBox(key),
    builtin,
    registry,
    toolStatistics: statistics,
  });
  release(() => intents.close());

  const sandbox = createSandbox({
    threads: config.SANDBOX_THREADS,
    limits: {
      ...SANDBOX_LIMITS,
      memoryBytes: config.SANDBOX_MEMORY_BYTES,
      outputBytes: config.MAX_RESULT_BYTES,
    },
  });
  release(() => sandbox.close());

  const dataConverter = createDataConverter({
    payloadDir: payloadDir(config),
    // Whatever is stored is on its way to the engine, so there is a connection.
    namespaceId: () => engine.current().namespaceId,
    threshold: config.PAYLOAD_THRESHOLD_BYTES,
  });
  const engine: Engine = createEngine({
    config,
    logger,
    dataConverter,
    ...(temporalAddress === undefined ? {} : { address: temporalAddress }),
  });
  release(() => engine.close());
  return { engine, documents, sandbox, dataConverter, models, registry, statistics, intents };
}

/**
 * Says which setting is to blame when a folder or what is in it cannot be used.
 * @throws HoldfastError `CONFIGURATION`
 */
export async function usableAs(setting: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'CONFIGURATION') throw error;
    const cause = error instanceof Error ? error.cause : undefined;
    throw new HoldfastError('CONFIGURATION', `${setting} cannot be used: ${messageOf(error)}`, { cause });
  }
}

/** A worker that stops before what it stands on. */
export async function addWorker(
  { config, logger, release }: Part,
  foundation: Foundation,
): Promise<StartedWorker> {
  const worker = await startWorker({ config, logger, ...foundation });
  release(() => worker.stop(), config.SHUTDOWN_GRACE_MS + WORKER_FORCE_MS);
  return worker;
}

export interface ApiOptions {
  readonly eagerStart: boolean;
  /** Address of the Temporal UI; absent: answers carry no link. */
  readonly uiUrl: string | undefined;
}

/** The API; it stops first, so that no request meets a service half taken down. */
export async function addApi(
  part: Part,
  foundation: Foundation,
  { eagerStart, uiUrl }: ApiOptions,
): Promise<HttpServer> {
  const { config, logger, release, graceLeft } = part;
  const { engine } = foundation;
  const server = await startApi({
    config,
    logger,
    ...foundation,
    eagerStart,
    ...(uiUrl === undefined
      ? {}
      : { runLink: (run: StartedRun) => runLink(uiUrl, engine.current().namespace, run) }),
  });
  release(() => server.close(graceLeft()), config.SHUTDOWN_GRACE_MS + LAST_ANSWERS_MS);
  return server;
}

export async function addRecords({ config, logger, release, graceLeft }: Part): Promise<HttpServer> {
  const server = await startRecords({ config, logger });
  release(() => server.close(graceLeft()), config.SHUTDOWN_GRACE_MS);
  return server;
}

function runLink(uiUrl: string, namespace: string, { workflowId, runId }: StartedRun): string {
  const base = uiUrl.replace(/\/+$/, '');
  return `${base}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}/${runId}/history`;
}

const MOMENT_MS = 5_000;

/**
 * Waits for what is usually there at once, so that a process says that it is up when it can do its work. A server
 * that is away is no reason not to answer, so the wait is short.
 * @returns whether it came
 */
export async function upToAMoment(ready: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const moment = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), MOMENT_MS);
  });
  const came = ready.then(
    () => true,
    () => false,
  );
  return Promise.race([came, moment]).finally(() => clearTimeout(timer));
}
