import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { BUILTIN_TOOL_NAMES } from '../contracts/constants';
import { allowedFileSchema, allowedHostSchema, MAX_ALLOWED } from '../contracts/http/allow-entries';
import { QUEUE_KINDS, type QueueKind } from '../contracts/queues';
import { hubNameSchema } from '../contracts/http/embedding-models';
import { HoldfastError } from '../base/errors';
import { type ExternalQueue, externalQueueSchema, readExternalQueues } from './external-queues';
import { MCP_PARTS, type McpPart } from './mcp';
import { SDK_PATCHES, type SdkPatch } from './temporal';
import { checkExactOrigins, checkHosts, checkOrigins } from './origins';
import { settingsSchema, type Settings } from './schema';
import { chooseTokens, type TokenSettings } from './tokens';
import type { S3Settings } from '../stores/blobs/s3/settings';
import type { Neo4jSettings } from '../stores/neo4j/settings';
import type { PineconeIndexOptions } from '../stores/pinecone/pinecone-index';

export type PineconeSettings = Pick<
  PineconeIndexOptions,
  'apiKey' | 'indexName' | 'environment' | 'controllerHostUrl'
>;

export interface Config extends Readonly<
  Omit<
    Settings,
    | 'EGRESS_ALLOW_PRIVATE'
    | 'FILE_ROOT'
    | 'ALLOWED_HOSTS'
    | 'CORS_ORIGINS'
    | 'RECORDS_CORS_ORIGINS'
    | 'MEMORY_EMBEDDING_MODELS'
    | 'BUILTIN_TOOLS'
    | 'REDACT_FIELDS'
    | 'MCP_OFFER'
    | 'SDK_PATCHES'
    | 'EXTERNAL_QUEUES'
    | 'PLANNER_ALLOW_HOSTS'
    | 'PLANNER_ALLOW_FILES'
    | 'WORKER_QUEUES'
    | 'WORKER_MAX_SANDBOX_ACTIVITIES'
    | 'OTEL_EXPORTER_OTLP_METRICS_HEADERS'
  >
> {
  /** Name and value. */
  readonly OTEL_EXPORTER_OTLP_METRICS_HEADERS: readonly (readonly [string, string])[];
  readonly ALLOWED_HOSTS: readonly string[];
  /** Other origins whose pages may call the API. */
  readonly CORS_ORIGINS: readonly string[];
  readonly RECORDS_CORS_ORIGINS: readonly string[];
  /** Of the hub, beside MEMORY_EMBEDDING_MODEL. */
  readonly MEMORY_EMBEDDING_MODELS: readonly string[];
  /** Names of headers and fields, beside those of `credential-names.ts`. */
  readonly REDACT_FIELDS: readonly string[];
  /** Names of built-in tools, each once. */
  readonly BUILTIN_TOOLS: readonly string[];
  /** What the path /mcp offers, each once; empty: there is no such path. */
  readonly MCP_OFFER: readonly McpPart[];
  /** The patches of Temporal's SDK in use, each once. */
  readonly SDK_PATCHES: readonly SdkPatch[];
  readonly PLANNER_ALLOW_HOSTS: readonly string[];
  readonly PLANNER_ALLOW_FILES: readonly string[];
  /**
   * Whether private and loopback addresses may be reached for what this process is asked for itself. An API writes it into
   * the runs that it starts.
   */
  readonly EGRESS_ALLOW_PRIVATE: boolean;
  /** Whether a worker of this process reaches them for a run that carries the permission: unless it is set not to. */
  readonly privateForRuns: boolean;
  /**
   * What decides whether this process reaches a store of memories there that a caller named: `as written` the permission beside
   * the store's address, in a worker alone that is not set to refuse; `as set` EGRESS_ALLOW_PRIVATE.
   */
  readonly privateForStores: 'as written' | 'as set';
  /** Task queues of other workers that callers may name. */
  readonly EXTERNAL_QUEUES: readonly ExternalQueue[];
  readonly FILE_ROOT: string;
  /** At least one, each once. */
  readonly WORKER_QUEUES: readonly QueueKind[];
  readonly WORKER_MAX_SANDBOX_ACTIVITIES: number;
  /** The Neo4j server that keeps the data; absent: it is embedded. */
  readonly neo4j: Neo4jSettings | undefined;
  /** The Pinecone index of semantic memories; absent: their vectors are in the store of the graph. */
  readonly pinecone: PineconeSettings | undefined;
  /** The bucket of large values; absent: they are files in DATA_DIR. */
  readonly s3: S3Settings | undefined;
  /** How callers are authenticated; none of the two if `AUTH` is off. */
  readonly authentication: { readonly keys: boolean; readonly tokens: TokenSettings | undefined };
  /** True if HOST reaches this machine only. */
  readonly loopback: boolean;
  /** True if a Temporal server is named, and none is to be run. */
  readonly externalTemporal: boolean;
  /** The environment as Temporal's own configuration loader wants it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names this process in logs and to Temporal. */
  readonly identity: string;
}

/** Most calls of a caller that has many have to wait within the worker, where callers take turns, and not at the server. */
const SANDBOX_CALLS_PER_THREAD = 25;

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Removes the brackets that an IPv6 address has in a URL. */
function bareAddress(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter(Boolean);
}

/** Writes what is wrong with a setting. Text that is no number arrives as NaN, and the schema's own message names only that. */
function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'invalid_type' || !['number', 'int'].includes(issue.expected))
    return issue?.message ?? 'invalid';
  return issue.expected === 'int' ? 'it has to be a whole number' : 'it has to be a number';
}

/** @throws HoldfastError `CONFIGURATION` for an entry that the schema refuses, or too many */
function entriesOf(name: keyof Settings, text: string, entry: z.ZodType<string>): readonly string[] {
  const entries = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
  const parsed = z
    .array(entry)
    .max(MAX_ALLOWED, `must have at most ${MAX_ALLOWED} entries`)
    .safeParse(entries);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'invalid' };
  const which = typeof path[0] === 'number' ? `"${entries[path[0]]}" ` : 'it ';
  throw new HoldfastError('CONFIGURATION', `The setting ${name} is not usable: ${which}${message}`);
}

/** Reads a setting that chooses among names. With `mayBeNone` the word `none` alone chooses none of them. */
function choicesOf<Name extends string>(
  setting: string,
  text: string,
  all: readonly Name[],
  { mayBeNone }: { readonly mayBeNone: boolean },
): readonly Name[] {
  const names = listOf(text);
  if (mayBeNone && names.length === 1 && names[0] === 'none') return [];
  const unknown = names.find((name) => all.every((known) => known !== name));
  if (unknown === undefined && (mayBeNone || names.length > 0))
    return all.filter((name) => names.includes(name));
  const problem = unknown === undefined ? 'it is empty' : `"${unknown}" is unknown`;
  throw new HoldfastError(
    'CONFIGURATION',
    `The setting ${setting} is not usable: ${problem}; there are ${all.join(', ')}${mayBeNone ? ', or none by itself' : ''}`,
  );
}

/** As OpenTelemetry has it: `key=value` with commas between, values percent-encoded if they need it. */
function headersOf(text: string): [string, string][] {
  return text
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const [, name, value] = /^\s*([^\s=]+)\s*=(.*)$/.exec(pair) ?? [];
      try {
        if (name !== undefined && value !== undefined) return [name, decodeURIComponent(value.trim())];
      } catch {
        // The error below names the setting without its text, which may be a secret.
      }
      throw new HoldfastError(
        'CONFIGURATION',
        'The setting OTEL_EXPORTER_OTLP_METRICS_HEADERS is not usable: it has to be like key=value,key=value',
      );
    });
}

function checkTogether(settings: Settings): void {
  checkTimeouts(settings);
  if ((settings.WEBHOOK_URL === undefined) !== (settings.WEBHOOK_SECRET === undefined))
    throw new HoldfastError(
      'CONFIGURATION',
      'WEBHOOK_URL and WEBHOOK_SECRET belong together: set both, or neither',
    );
  // The SDK gives figures out in one way.
  if (settings.METRICS_ADDRESS === undefined || settings.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT === undefined)
    return;
  throw new HoldfastError(
    'CONFIGURATION',
    'Set METRICS_ADDRESS or OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, not both',
  );
}

/** A run that ends before its tool does would report the run's timeout, and the call would never be counted. */
function checkTimeouts({ RUN_TIMEOUT_MS, TOOL_TIMEOUT_MS }: Settings): void {
  if (RUN_TIMEOUT_MS > TOOL_TIMEOUT_MS) return;
  throw new HoldfastError(
    'CONFIGURATION',
    `The setting RUN_TIMEOUT_MS (${RUN_TIMEOUT_MS}) has to be above TOOL_TIMEOUT_MS (${TOOL_TIMEOUT_MS})`,
  );
}

function chooseNeo4j(settings: Settings): Neo4jSettings | undefined {
  const { GRAPH_STORE, NEO4J_URI: uri, NEO4J_DATABASE: database } = settings;
  if (GRAPH_STORE === 'embedded') return undefined;
  if (uri === undefined) {
    if (GRAPH_STORE === 'auto') return undefined;
    throw new HoldfastError(
      'CONFIGURATION',
      'GRAPH_STORE is neo4j, so NEO4J_URI has to say where the server is',
    );
  }
  return {
    uri,
    username: settings.NEO4J_USERNAME,
    password: settings.NEO4J_PASSWORD,
    database,
  };
}

function choosePinecone(settings: Settings): PineconeSettings | undefined {
  const { VECTOR_STORE, PINECONE_API_KEY: apiKey } = settings;
  if (VECTOR_STORE === 'embedded' || VECTOR_STORE === 'none') return undefined;
  if (apiKey === undefined) {
    if (VECTOR_STORE === 'auto') return undefined;
    throw new HoldfastError('CONFIGURATION', 'VECTOR_STORE is pinecone, so PINECONE_API_KEY has to be set');
  }
  return {
    apiKey,
    indexName: settings.PINECONE_INDEX,
    environment: settings.PINECONE_ENVIRONMENT,
    controllerHostUrl: settings.PINECONE_CONTROLLER_URL,
  };
}

function chooseS3(settings: Settings): S3Settings | undefined {
  const { PAYLOAD_STORE, S3_BUCKET: bucket, S3_ENDPOINT: endpoint } = settings;
  if (PAYLOAD_STORE === 'folder') return undefined;
  if (bucket === undefined) {
    if (PAYLOAD_STORE === 'auto') return undefined;
    throw new HoldfastError('CONFIGURATION', 'PAYLOAD_STORE is s3, so S3_BUCKET has to be set');
  }
  const prefix = settings.S3_PREFIX.split('/').filter(Boolean).join('/');
  return {
    bucket,
    endpoint,
    region: settings.S3_REGION ?? (endpoint === undefined ? undefined : 'us-east-1'),
    credentials: s3Credentials(settings),
    prefix: prefix === '' ? '' : `${prefix}/`,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE ?? endpoint !== undefined,
  };
}

function s3Credentials(settings: Settings): S3Settings['credentials'] {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  throw new HoldfastError(
    'CONFIGURATION',
    'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set both, or neither',
  );
}

/** `whole`: API and worker in one process, as `npm start` has them. `worker`: a worker alone. `part`: any other process. */
export type ProcessKind = 'whole' | 'worker' | 'part';

/**
 * The one reader of the environment: validated, fully defaulted, frozen.
 * @throws HoldfastError `CONFIGURATION`, one line that names the setting
 */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  kind: ProcessKind = 'part',
): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settingsSchema.safeParse(present);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = issue?.path.join('.') ?? 'a setting';
    throw new HoldfastError('CONFIGURATION', `The setting ${name} is not usable: ${problemOf(issue)}`);
  }
  const settings = parsed.data;
  checkTogether(settings);
  const host = bareAddress(settings.HOST);
  const loopback = isLoopback(host);
  const dataDir = resolve(settings.DATA_DIR);
  const allowedHosts = checkHosts('ALLOWED_HOSTS', listOf(settings.ALLOWED_HOSTS));
  // As far as the settings show, only programs of this machine call such a service, and they reach the same addresses themselves.
  // Keys and tokens tell callers apart, who must not reach by tools what is behind them, such as the Temporal UI.
  const isForThisMachine =
    kind === 'whole' && loopback && settings.AUTH === 'off' && allowedHosts.length === 0;
  return Object.freeze({
    ...settings,
    HOST: host,
    DATA_DIR: dataDir,
    ALLOWED_HOSTS: allowedHosts,
    CORS_ORIGINS: checkExactOrigins('CORS_ORIGINS', listOf(settings.CORS_ORIGINS)),
    RECORDS_CORS_ORIGINS: checkOrigins('RECORDS_CORS_ORIGINS', listOf(settings.RECORDS_CORS_ORIGINS)),
    MEMORY_EMBEDDING_MODELS: entriesOf(
      'MEMORY_EMBEDDING_MODELS',
      settings.MEMORY_EMBEDDING_MODELS,
      hubNameSchema,
    ),
    BUILTIN_TOOLS: choicesOf('BUILTIN_TOOLS', settings.BUILTIN_TOOLS, BUILTIN_TOOL_NAMES, {
      mayBeNone: true,
    }),
    EXTERNAL_QUEUES: readExternalQueues(
      entriesOf('EXTERNAL_QUEUES', settings.EXTERNAL_QUEUES, externalQueueSchema),
      settings.TASK_QUEUE,
    ),
    REDACT_FIELDS: listOf(settings.REDACT_FIELDS),
    MCP_OFFER: choicesOf('MCP_OFFER', settings.MCP_OFFER, MCP_PARTS, { mayBeNone: true }),
    SDK_PATCHES: choicesOf('SDK_PATCHES', settings.SDK_PATCHES, SDK_PATCHES, { mayBeNone: true }),
    PLANNER_ALLOW_HOSTS: entriesOf('PLANNER_ALLOW_HOSTS', settings.PLANNER_ALLOW_HOSTS, allowedHostSchema),
    PLANNER_ALLOW_FILES: entriesOf('PLANNER_ALLOW_FILES', settings.PLANNER_ALLOW_FILES, allowedFileSchema),
    OTEL_EXPORTER_OTLP_METRICS_HEADERS: headersOf(settings.OTEL_EXPORTER_OTLP_METRICS_HEADERS),
    EGRESS_ALLOW_PRIVATE: settings.EGRESS_ALLOW_PRIVATE ?? isForThisMachine,
    privateForRuns: settings.EGRESS_ALLOW_PRIVATE ?? true,
    privateForStores: kind === 'worker' && settings.EGRESS_ALLOW_PRIVATE !== false ? 'as written' : 'as set',
    FILE_ROOT: resolve(settings.FILE_ROOT ?? join(dataDir, 'files')),
    WORKER_QUEUES: choicesOf('WORKER_QUEUES', settings.WORKER_QUEUES, QUEUE_KINDS, { mayBeNone: false }),
    WORKER_MAX_SANDBOX_ACTIVITIES:
      settings.WORKER_MAX_SANDBOX_ACTIVITIES ?? SANDBOX_CALLS_PER_THREAD * settings.SANDBOX_THREADS,
    neo4j: chooseNeo4j(settings),
    pinecone: choosePinecone(settings),
    s3: chooseS3(settings),
    authentication: { keys: settings.AUTH.includes('keys'), tokens: chooseTokens(settings) },
    loopback,
    externalTemporal: settings.TEMPORAL_ADDRESS !== undefined || settings.TEMPORAL_PROFILE !== undefined,
    environment: Object.freeze({ ...environment }),
    identity: `${process.pid}@${hostname()}`,
  });
}
