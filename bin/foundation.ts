import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError, isHoldfastError, messageOf } from '../src/base/errors';
import type { Intents } from '../src/intent/service/create-intents';
import { createIntents } from '../src/intent/service/create-intents';
import type { LlmProvider } from '../src/llm/provider';
import type { ModelProviders } from '../src/llm/model-providers';
import { createProviders } from '../src/factories/create-providers';
import { measuredProvider } from '../src/llm/measured-provider';
import { createRulesProvider } from '../src/llm/rules-provider';
import type { Metrics } from '../src/base/metrics';
import type { MemorySystem } from '../src/memory/create-memory-system';
import { createMemorySystem } from '../src/memory/create-memory-system';
import type { Rules } from '../src/rules/rules';
import { createSandbox } from '../src/sandbox';
import type { Sandbox } from '../src/sandbox/sandbox';
import { loadKey } from '../src/secrets/load-key';
import { createPseudonyms, type Pseudonyms } from '../src/secrets/pseudonyms';
import { createSecretBox } from '../src/secrets/secret-box';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import { countedFailures } from '../src/stores/counted-failures';
import { createBlobStore } from '../src/factories/create-blob-store';
import { createDocumentStore } from '../src/factories/create-document-store';
import { memoryBackends } from '../src/factories/memory-backends';
import type { DocumentStore } from '../src/stores/documents';
import { builtinDefinitions } from '../src/tools/builtin/declarations';
import { checkFileRoot } from '../src/tools/file-root';
import type { ToolRegistry } from '../src/tools/registry';
import { createToolRegistry } from '../src/tools/registry';
import type { ToolStatisticsStore } from '../src/tools/statistics';
import { createToolStatistics } from '../src/tools/statistics';
import { createDataConverter } from '../temporal/data-converter';
import type { Engine } from '../temporal/engine';
import { createEngine } from '../temporal/engine';
import { openMetrics, sampleEngine } from './metrics';
import { loadPlainEnglish } from './plain-english';
import type { Part } from './process';
import { onceThere, type Place } from './startup-wait';

/** Bounds nobody has had a reason to change; the others are settings. */
const SANDBOX_LIMITS = { stackBytes: 512 * 1_024, logLines: 100, logLineLength: 1_000 };

/** What API and worker have in common; in one process they share it. */
export interface Foundation {
  readonly metrics: Metrics;
  readonly engine: Engine;
  readonly documents: DocumentStore;
  readonly sandbox: Sandbox;
  readonly dataConverter: ReturnType<typeof createDataConverter>;
  readonly blobs: BlobStore;
  readonly models: ModelProviders;
  /** Absent: sentences take a language model. */
  readonly rules: Rules | undefined;
  readonly registry: ToolRegistry;
  readonly statistics: ToolStatisticsStore;
  readonly intents: Intents;
  readonly memory: MemorySystem;
  readonly pseudonyms: Pseudonyms;
}

export interface FoundationOptions {
  /** Address of a development server of our own; absent: the configured one. */
  readonly temporalAddress?: string;
}

/** Opens the stores and begins to look for the engine. */
export async function openFoundation(part: Part, options: FoundationOptions = {}): Promise<Foundation> {
  const { config, logger, release } = part;
  const metrics = openMetrics(part);
  const measure = (provider: LlmProvider): LlmProvider => measuredProvider(provider, metrics);
  // Reaches out to none of them, but a setting that makes no sense is told before anything is opened.
  const rules = await loadPlainEnglish(config, logger);
  const builtin = rules && measure(createRulesProvider(rules.sentences));
  const models = createProviders(config, builtin, { measure });
  const { documents, registry } = await openStore(part, metrics);

  const statistics = createToolStatistics({ documents, retentionMs: config.STATISTICS_RETENTION_MS });
  const key = await loadKey({ setting: config.SECRETS_KEY, file: join(config.DATA_DIR, 'secrets.key') });
  const secrets = createSecretBox(key);
  if (config.neo4j && config.SECRETS_KEY === undefined) {
    logger.warn(
      'SECRETS_KEY is not set: processes with another DATA_DIR cannot read what this one keeps sealed',
    );
  }
  const intents = createIntents({
    config,
    documents,
    secrets,
    builtin,
    classifier: rules?.classifier,
    measure,
    registry,
    toolStatistics: statistics,
  });
  release(() => intents.close());
  const pseudonyms = createPseudonyms(key);
  const memory = createMemorySystem({
    config,
    backends: memoryBackends,
    logger,
    pseudonyms,
    secrets,
    documents,
    relatedWords: rules?.relatedWords,
    metrics,
  });
  release(() => memory.close());
  await openMemory(part, memory);

  const sandbox = createSandbox({
    threads: config.SANDBOX_THREADS,
    limits: {
      ...SANDBOX_LIMITS,
      memoryBytes: config.SANDBOX_MEMORY_BYTES,
      outputBytes: config.MAX_RESULT_BYTES,
    },
  });
  release(() => sandbox.close());

  return {
    ...(await openEngine(part, metrics, options)),
    metrics,
    documents,
    sandbox,
    models,
    rules,
    registry,
    statistics,
    intents,
    memory,
    pseudonyms,
  };
}

/** Opens the store of large values, and begins to look for the engine. */
export async function openEngine(
  part: Part,
  metrics: Metrics,
  { temporalAddress }: FoundationOptions = {},
): Promise<Pick<Foundation, 'engine' | 'dataConverter' | 'blobs'>> {
  const { config, logger, release } = part;
  const blobs = countedFailures(createBlobStore(config), 'values', metrics);
  release(() => blobs.close());
  const place = blobPlace(config);
  await usableAs(place.setting, () => onceThere(part, place, () => blobs.ping()));
  const dataConverter = createDataConverter({
    blobs,
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
  if (metrics.enabled) release(sampleEngine(metrics, engine));
  return { engine, dataConverter, blobs };
}

/** The store that the settings choose, with the built-in tools in it that are switched on. */
async function openStore(part: Part, metrics: Metrics): Promise<Pick<Foundation, 'documents' | 'registry'>> {
  const { config, release } = part;
  const { BUILTIN_TOOLS, DATA_DIR, MAX_TOOLS, neo4j } = config;
  const store = createDocumentStore(neo4j ? { neo4j } : { path: join(DATA_DIR, 'holdfast.db') });
  const documents = countedFailures(store, 'documents', metrics);
  release(() => documents.close());
  const off = builtinDefinitions.map(({ name }) => name).filter((name) => !BUILTIN_TOOLS.includes(name));
  const registry = createToolRegistry({ documents, builtins: builtinDefinitions, off, maxTools: MAX_TOOLS });
  // What tools read are files in any case.
  await usableAs(`DATA_DIR (${DATA_DIR})`, () => mkdir(DATA_DIR, { recursive: true, mode: 0o700 }));
  await checkFileRoot(config);
  const place = storePlace(config);
  await usableAs(place.setting, () =>
    onceThere(part, place, async () => {
      await documents.ping();
      await registry.seed();
    }),
  );
  return { documents, registry };
}

/**
 * Stores of the environment have to be usable at the start. Ones that were set by an initialization need not be, as it
 * takes a running API to set others.
 */
async function openMemory(part: Part, { stores, configuration }: MemorySystem): Promise<void> {
  const { config, logger } = part;
  const ping = (): Promise<void> => stores.use(({ graph }) => graph.ping());
  const place = storePlace(config);
  if (!(await configuration.isChanged())) return usableAs(place.setting, () => onceThere(part, place, ping));
  await ping().catch((error: unknown) => {
    const reason = messageOf(error);
    logger.warn({ reason }, 'the stores of memories that were initialized cannot be used yet');
  });
}

export function storePlace({ DATA_DIR, neo4j }: Part['config']): Place {
  return neo4j
    ? { setting: `NEO4J_URI (${neo4j.uri})`, isRemote: true }
    : { setting: `DATA_DIR (${DATA_DIR})`, isRemote: false };
}

function blobPlace({ DATA_DIR, s3 }: Part['config']): Place {
  const server = s3?.endpoint === undefined ? '' : ` at S3_ENDPOINT (${new URL(s3.endpoint).origin})`;
  return s3
    ? { setting: `S3_BUCKET (${s3.bucket})${server}`, isRemote: true }
    : { setting: `DATA_DIR (${DATA_DIR})`, isRemote: false };
}

/**
 * Says which setting is to blame when a folder, a server or what is in it cannot be used.
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
