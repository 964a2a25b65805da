import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BytesInFlight } from '../src/base/async/bytes-in-flight';
import { HoldfastError, isHoldfastError, messageOf } from '../src/base/errors';
import { createIntents } from '../src/intent/service/create-intents';
import { drawsFactsByModel, type ModelProviders } from '../src/llm/model-providers';
import { createProviders } from '../src/factories/create-providers';
import { createWrapProvider } from '../src/factories/wrap-provider';
import { createStandIns, type StandIns } from '../src/llm/stand-ins';
import { measuredProvider } from '../src/llm/measured-provider';
import { createRulesProvider } from '../src/llm/rules-provider';
import type { Metrics } from '../src/base/metrics';
import { createMcpClient } from '../packages/mcp/client';
import { createMemorySystem, type MemorySystem } from '../src/memory/create-memory-system';
import type { Rules } from '../src/rules/rules';
import { createAnswerSchemas } from '../src/llm/answer-schemas';
import { createSandbox } from '../src/sandbox/create-sandbox';
import type { Sandbox } from '../src/sandbox/sandbox';
import { createSchemaChecks } from '../src/sandbox/schema-checks';
import { loadKey } from '../src/secrets/load-key';
import { createSigner } from '../src/secrets/signer';
import { createPseudonyms, pseudonymsOfTenant, type Pseudonyms } from '../src/secrets/pseudonyms';
import { createSecretBox, type SecretBox } from '../src/secrets/secret-box';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import { countedFailures } from '../src/stores/counted-failures';
import { createDocumentStore, createBlobStore } from '../src/factories/create-stores';
import { memoryBackends } from '../src/factories/memory-backends';
import type { DiskWatch } from '../src/stores/disk-watch';
import type { DocumentStore } from '../src/stores/documents';
import { tenantDocuments } from '../src/stores/tenants/tenant-documents';
import { createTenants, type Tenants } from '../src/tenants/tenants';
import { createArgumentChecks } from '../src/tools/argument-check';
import { builtinDefinitions, type ToolDeclaration } from '../src/tools/builtin/declarations';
import { checkFileRoot } from '../src/tools/file-root';
import { createToolRegistry } from '../src/tools/registry';
import { createToolStatistics } from '../src/tools/statistics';
import { createDataConverter } from '../temporal/payloads/data-converter';
import { serverClock } from '../temporal/server-clock';
import { createEngine, type Engine } from '../temporal/engine';
import { openDisk } from './disk';
import { openMetrics, sampleEngine } from './metrics';
import { loadPlainEnglish } from './plain-english';
import type { Part } from './process';
import { retryWhileAway, type Place } from './startup-wait';
import {
  approvalLinkKey,
  createApprovalLinks,
  type ApprovalLinks,
  createLoginStates,
  type LoginStates,
  createRunTokens,
  type RunTokens,
} from '../src/secrets/signed-texts';

/** Limits of the sandbox that no operator has needed to change; the other limits are settings. */
const SANDBOX_LIMITS = { stackBytes: 512 * 1_024, logLines: 100, logLineLength: 1_000 };
/** The checks of callers' schemas have separate threads, so that they and registered tools do not wait for each other. */
const SCHEMA_CHECK_THREADS = 4;
/** Parsing takes one core anyway. */
const LARGE_JSON_THREADS = 1;
/** Commands of MCP servers that do not end when they are asked to are killed after 4 s, and a login is renewed within 10 s. */
const STOP_MCP_MS = 11_000;

/** The stores and services that API and worker both need. In one process they share one instance. */
export interface Foundation {
  readonly metrics: Metrics;
  /** The bytes of large values that the process works on, in requests and in activities. */
  readonly inFlight: BytesInFlight;
  readonly engine: Engine;
  readonly documents: DocumentStore;
  readonly disk: DiskWatch;
  readonly sandbox: Sandbox;
  /** Reads large JSON texts, so that they wait neither for registered tools nor for checks of schemas. */
  readonly largeJson: Pick<Sandbox, 'rewriteJson'>;
  readonly dataConverter: ReturnType<typeof createDataConverter>;
  readonly blobs: BlobStore;
  readonly models: ModelProviders;
  readonly standIns: StandIns;
  /** Absent if English is read by a language model alone. */
  readonly rules: Rules | undefined;
  readonly tenants: Tenants;
  readonly memory: MemorySystem;
  readonly pseudonyms: Pseudonyms;
  readonly approvalLinks: ApprovalLinks;
  readonly runTokens: RunTokens;
  readonly loginStates: LoginStates;
  readonly secrets: SecretBox;
}

/**
 * Opens the stores and begins to connect to the engine, which may come up later.
 * @param temporalAddress that of the development server that this process runs; absent if the settings name the server
 * @throws HoldfastError `CONFIGURATION` if the settings are wrong or a store cannot be used
 */
export async function openFoundation(part: Part, temporalAddress?: string): Promise<Foundation> {
  const { config, logger, release } = part;
  const metrics = openMetrics(part);
  const wrap = createWrapProvider(config, metrics);
  // Creating the providers connects to none of them, but reports wrong settings before any store is opened.
  const rules = await loadPlainEnglish(config, logger);
  const builtin = rules && measuredProvider(createRulesProvider(rules.sentences), metrics);
  const models = createProviders(config, builtin, { wrap });
  if (config.MEMORY_FACTS === 'model' && !drawsFactsByModel(config, models))
    logger.warn('MEMORY_FACTS=model has no effect without a language model: facts are drawn by rules alone');
  const documents = await openStore(part, metrics);
  const disk = openDisk(part);
  const key = await loadServiceKey(config);
  const secrets = createSecretBox(key);
  if (config.neo4j && config.SECRETS_KEY === undefined) {
    logger.warn(
      'SECRETS_KEY is not set: processes with another DATA_DIR cannot decrypt what this one encrypts',
    );
  }
  const standIns = createStandIns({ logger, metrics, documents });
  const intents = createIntents({
    now: serverClock.now,
    config,
    documents,
    secrets,
    builtin,
    classifier: rules?.classifier,
    wrap,
    standIns,
  });
  release(() => intents.close());
  const pseudonyms = createPseudonyms(key);
  const memory = createMemorySystem({
    clock: serverClock.now,
    config,
    backends: memoryBackends,
    logger,
    pseudonyms,
    secrets,
    signer: createSigner(key, 'erasure-receipts'),
    documents,
    factRules: config.MEMORY_FACTS === 'off' ? undefined : rules?.conversation,
    factsByModel: drawsFactsByModel(config, models),
    metrics,
  });
  release(() => memory.close());
  const schemaThreads = createSandbox({ threads: SCHEMA_CHECK_THREADS, limits: SANDBOX_LIMITS });
  release(() => schemaThreads.close());
  const schemaChecks = createSchemaChecks(schemaThreads);
  const largeJson = createSandbox({ threads: LARGE_JSON_THREADS, limits: SANDBOX_LIMITS });
  release(() => largeJson.close());
  const mcp = createMcpClient({
    secrets,
    checks: schemaChecks,
    maxServers: config.MCP_MAX_SERVERS,
    names: config.EGRESS_DNS,
    maxBodyBytes: config.EGRESS_MAX_BODY_BYTES,
    allowPrivate: config.EGRESS_ALLOW_PRIVATE,
    allowPrivateInRuns: config.privateForRuns,
    allowCommands: config.MCP_STDIO === 'yes',
    logger,
  });
  release(() => mcp.close(), STOP_MCP_MS);
  const argumentChecks = createArgumentChecks(schemaChecks, builtinDefinitions);
  const tenants = createTenants({
    documents,
    createServices(tenant) {
      const tenantParts = {
        tenant,
        documents: tenantDocuments(documents, tenant),
        pseudonyms: pseudonymsOfTenant(pseudonyms, tenant),
      };
      const registry = createToolRegistry({
        ...tenantParts,
        builtins: builtinTools(config),
        maxTools: config.MAX_TOOLS,
      });
      const statistics = createToolStatistics({
        ...tenantParts,
        retentionMs: config.STATISTICS_RETENTION_MS,
      });
      return {
        ...tenantParts,
        registry,
        schemaChecks,
        argumentChecks,
        statistics,
        intents: intents.of({ ...tenantParts, registry, toolStatistics: statistics }),
        memory: memory.of(tenantParts),
        answerSchemas: createAnswerSchemas(schemaChecks.of({ tenant })),
        mcp: mcp.of({ ...tenantParts, registry }),
      };
    },
  });
  await openTools(part, tenants);
  await openMemory(part, memory);

  const sandbox = createSandbox({
    threads: config.SANDBOX_THREADS,
    maxCalls: config.WORKER_MAX_SANDBOX_ACTIVITIES,
    limits: {
      ...SANDBOX_LIMITS,
      memoryBytes: config.SANDBOX_MEMORY_BYTES,
      outputBytes: config.MAX_RESULT_BYTES,
    },
  });
  release(() => sandbox.close());

  return {
    ...(await openEngine(part, metrics, temporalAddress)),
    metrics,
    inFlight: new BytesInFlight(config.MAX_BYTES_IN_FLIGHT),
    documents,
    disk,
    sandbox,
    largeJson,
    models,
    standIns,
    rules,
    tenants,
    memory,
    pseudonyms,
    secrets,
    approvalLinks: createApprovalLinks(approvalLinkKey(config.APPROVAL_LINK_SECRET, key)),
    runTokens: createRunTokens(key),
    loginStates: createLoginStates(key),
  };
}

/** Loads the key by which all processes of the service seal secrets and make pseudonyms. @throws HoldfastError `CONFIGURATION` */
export function loadServiceKey({ SECRETS_KEY, DATA_DIR }: Part['config']): Promise<Buffer> {
  return loadKey({ setting: SECRETS_KEY, file: join(DATA_DIR, 'secrets.key') });
}

/** Opens the store of large values, and begins to connect to the engine. @param temporalAddress as in `openFoundation` */
export async function openEngine(
  part: Part,
  metrics: Metrics,
  temporalAddress?: string,
): Promise<Pick<Foundation, 'engine' | 'dataConverter' | 'blobs'>> {
  const { config, logger, release } = part;
  const blobs = countedFailures(createBlobStore(config), 'values', metrics);
  release(() => blobs.close());
  const place = blobPlace(config);
  await blameSetting(place.setting, () => retryWhileAway(part, place, () => blobs.ping()));
  const dataConverter = createDataConverter({
    blobs,
    // A value is stored only on its way to the engine, so the connection exists by then.
    namespaceId: () => engine.current().namespaceId,
    threshold: config.PAYLOAD_THRESHOLD_BYTES,
  });
  const engine: Engine = createEngine({
    config,
    logger,
    dataConverter,
    address: temporalAddress,
  });
  release(() => engine.close());
  if (metrics.enabled) release(sampleEngine(metrics, engine));
  return { engine, dataConverter, blobs };
}

/** Creates the document store of the settings. It opens nothing yet. */
export function createStore({ DATA_DIR, neo4j }: Part['config']): DocumentStore {
  return createDocumentStore(neo4j ? { neo4j } : { path: join(DATA_DIR, 'holdfast.db') });
}

/** The built-in tools that are switched on. */
function builtinTools({ BUILTIN_TOOLS }: Part['config']): ToolDeclaration[] {
  return builtinDefinitions.filter(({ name }) => BUILTIN_TOOLS.includes(name));
}

/** Opens the store that the settings choose. */
async function openStore(part: Part, metrics: Metrics): Promise<DocumentStore> {
  const { config, release } = part;
  const { DATA_DIR } = config;
  const documents = countedFailures(createStore(config), 'documents', metrics);
  release(() => documents.close());
  // DATA_DIR is needed with Neo4j too, because the built-in tools read files.
  await blameSetting(`DATA_DIR (${DATA_DIR})`, () => mkdir(DATA_DIR, { recursive: true, mode: 0o700 }));
  await checkFileRoot(config);
  const place = storePlace(config);
  await blameSetting(place.setting, () => retryWhileAway(part, place, () => documents.ping()));
  return documents;
}

/** Writes the built-in tools that are switched on into the registry of the default tenant. */
async function openTools(part: Part, { default: { registry } }: Tenants): Promise<void> {
  const place = storePlace(part.config);
  await blameSetting(place.setting, () => retryWhileAway(part, place, () => registry.seed()));
}

/**
 * Checks that the stores of memories can be used. If the environment sets them, an unusable one ends the start.
 * If an initialization through the API has set them, it does not, because the API has to run for the caller to set
 * others.
 */
async function openMemory(part: Part, { openStores, configuration }: MemorySystem): Promise<void> {
  const { config, logger } = part;
  const ping = async (): Promise<void> => (await openStores()).graph.ping();
  const place = storePlace(config);
  const isChanged = await blameSetting(place.setting, () =>
    retryWhileAway(part, place, () => configuration.isChanged()),
  );
  if (!isChanged) return blameSetting(place.setting, () => retryWhileAway(part, place, ping));
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
 * Runs an action that uses a folder or a server, and names the setting to blame in the error when it fails.
 * @throws HoldfastError `CONFIGURATION` when the action fails
 */
export async function blameSetting<T>(setting: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'CONFIGURATION') throw error;
    const cause = error instanceof Error ? error.cause : undefined;
    throw new HoldfastError('CONFIGURATION', `${setting} cannot be used: ${messageOf(error)}`, { cause });
  }
}
