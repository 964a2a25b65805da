import { z } from 'zod';
import { QUEUE_KINDS, QUEUE_WORK } from './contracts/queues';

const port = z.coerce.number().int().min(0).max(65_535);
const milliseconds = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
const bytes = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');

/** Stands where a build is named for the workers that have none. */
export const UNVERSIONED = 'unversioned';

/** No user or password in it: an address is shown where they must not be. */
export const NEO4J_ADDRESS = /^(neo4j|bolt)(\+s|\+ssc)?:\/\/[^@\s]+$/;

/** An address to listen at: the SDK resolves no names here. */
const METRICS_LISTENER = /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-fA-F:.]+\]):\d{1,5}$/;

/**
 * Every setting, by the environment variable that carries it. Descriptions are the reference for operators;
 * units are in them.
 */
export const settingsSchema = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address the HTTP servers listen on'),
  PORT: port.default(3000).describe('Port of the API'),
  RECORDS_PORT: port.default(3001).describe('Port of the record-keeping API'),
  DATA_DIR: z.string().default('./data').describe('Folder of all embedded data'),
  ALLOWED_HOSTS: z
    .string()
    .default('')
    .describe(
      'Host names answered, and taken as Origin, besides those of this machine, comma-separated; checked while HOST is loopback or this is set',
    ),

  RECORDS_CORS_ORIGINS: z
    .string()
    .default('*')
    .describe(
      'Origins whose pages may read and change records, comma-separated, such as https://app.example; with * pages of any origin may read',
    ),
  RECORDS_MAX_RESULTS: count(1, 1_000).default(500).describe('Most records in one page of a list'),
  RECORDS_IMPORT_MAX_BYTES: bytes(1_024, 4_294_967_296)
    .default(256 * 1_048_576)
    .describe('Largest upload of an import of records, bytes; its rows are bounded by MAX_BODY_BYTES'),
  RECORDS_MAX_TRACE_SHIPMENTS: count(1, 100_000)
    .default(10_000)
    .describe('Most shipments that a trace may be asked for, each way'),

  GRAPH_STORE: z
    .enum(['auto', 'embedded', 'neo4j'])
    .default('auto')
    .describe('Where data is kept: embedded in DATA_DIR or in Neo4j; auto: Neo4j where NEO4J_URI is set'),
  NEO4J_URI: z
    .string()
    .regex(NEO4J_ADDRESS, 'it has to be like neo4j://host:7687, with user and password in their own settings')
    .optional()
    .describe('Address of a Neo4j server, 5.26 or later: neo4j:// or bolt://, with +s for TLS'),
  NEO4J_USERNAME: z.string().default('neo4j').describe('User at the Neo4j server'),
  NEO4J_PASSWORD: z.string().default('').describe("The user's password"),
  NEO4J_DATABASE: z
    .string()
    .optional()
    .describe("Database at the Neo4j server; absent: the user's home database"),

  PAYLOAD_STORE: z
    .enum(['auto', 'folder', 's3'])
    .default('auto')
    .describe(
      'Where large values of runs and rows of imports are kept: files in DATA_DIR or a bucket of S3; auto: s3 where S3_BUCKET is set',
    ),
  S3_BUCKET: z.string().optional().describe('Bucket of S3, or of a server that speaks its language'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of that server, such as http://localhost:9000; absent: Amazon's"),
  S3_REGION: z
    .string()
    .optional()
    .describe("Region of the bucket; absent: that of the AWS SDK's settings, with S3_ENDPOINT us-east-1"),
  S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe("Access key of the bucket; absent: the AWS SDK's own search, so that roles and profiles work"),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of that access key'),
  S3_PREFIX: z
    .string()
    .regex(/^[\w.\-/]*$/, 'it may have letters, digits, and any of . _ - /')
    .default('')
    .describe('What all keys in the bucket begin with, such as holdfast/production'),
  S3_FORCE_PATH_STYLE: flag
    .optional()
    .describe('Whether the bucket is named in paths and not in host names; absent: where S3_ENDPOINT is set'),

  TEMPORAL_ADDRESS: z
    .string()
    .optional()
    .describe('host:port of a Temporal server; absent: a development server is run'),
  TEMPORAL_PROFILE: z
    .string()
    .optional()
    .describe('Profile of the Temporal configuration file, instead of an address'),
  TEMPORAL_NAMESPACE: z
    .string()
    .optional()
    .describe('Temporal namespace; absent: the profile\'s, else "default"'),
  TEMPORAL_PORT: port.default(7233).describe('Port of the development server'),
  TEMPORAL_UI_PORT: port.default(8233).describe("Port of the development server's UI"),
  TEMPORAL_UI_URL: z.string().optional().describe('Address of the Temporal UI that links point to'),
  TEMPORAL_CLI_PATH: z.string().optional().describe('The temporal binary to run the development server with'),
  TEMPORAL_RETENTION_DAYS: count(1, 3650)
    .default(30)
    .describe('Days a closed run is kept by the development server'),
  CLUSTER_APIS: count(1, 64).default(2).describe('API processes of `npm run cluster`'),
  CLUSTER_WORKERS: count(1, 64).default(2).describe('Worker processes of `npm run cluster`'),
  CLUSTER_HISTORY_SHARDS: count(1, 16_384)
    .default(16)
    .describe(
      'History shards of the Temporal server of `npm run cluster`; fixed by the first start on a data folder',
    ),
  CLUSTER_POSTGRES_PORT: port
    .default(0)
    .describe('Port of the PostgreSQL server of `npm run cluster`; 0: any free one'),
  CLUSTER_NEO4J_PORT: port
    .default(0)
    .describe('Port of the Neo4j server of `npm run cluster`; 0: any free one'),
  TASK_QUEUE: z
    .string()
    .min(1)
    .max(200)
    .default('holdfast')
    .describe('Task queue the API starts runs on and workers poll'),

  WAIT_LIMIT_MS: milliseconds(100, 600_000)
    .default(60_000)
    .describe('How long a request waits for its run, ms'),
  RUN_TIMEOUT_MS: milliseconds(1_000, 86_400_000)
    .default(600_000)
    .describe('Longest life of a run of tools, ms; longer where its calls together may take longer'),
  TOOL_TIMEOUT_MS: milliseconds(10, 600_000)
    .default(30_000)
    .describe('Longest a tool call may take, retries included, ms'),
  TOOL_MAX_ATTEMPTS: count(1, 20).default(3).describe('Most attempts at a tool call that fails transiently'),
  SHUTDOWN_GRACE_MS: milliseconds(0, 600_000)
    .default(10_000)
    .describe('How long a stopping process lets work finish, ms'),

  MAX_BODY_BYTES: bytes(1_024, 64 * 1_048_576)
    .default(1_048_576)
    .describe('Largest request body, bytes'),
  MAX_TOOLS_PER_CALL: count(1, 100).default(50).describe('Most tools in one parallel or sequential call'),
  MAX_TOOLS: count(1, 100_000).default(1_000).describe('Most tools in the registry'),
  MAX_WORKFLOWS: count(1, 100_000).default(1_000).describe('Most workflows that callers may store'),
  MAX_SOURCE_BYTES: bytes(100, 1_048_576)
    .default(65_536)
    .describe('Longest source text of a registered tool, bytes'),
  MAX_RESULT_BYTES: bytes(1_024, 64 * 1_048_576)
    .default(8 * 1_048_576)
    .describe('Largest result of a tool, bytes of JSON'),
  STATISTICS_RETENTION_MS: milliseconds(172_800_000, 31_536_000_000)
    .default(172_800_000)
    .describe('How long a counted tool call is remembered, so that a repeat is not counted again, ms'),
  PAYLOAD_THRESHOLD_BYTES: bytes(1_024, 1_048_576)
    .default(32_768)
    .describe('Values above this travel by reference and not inside workflow history, bytes'),

  EGRESS_ALLOW_PRIVATE: flag
    .optional()
    .describe('Whether tools may call loopback and private addresses; absent: only while HOST is loopback'),
  EGRESS_MAX_BODY_BYTES: bytes(1_024, 64 * 1_048_576)
    .default(4 * 1_048_576)
    .describe('Largest response body a tool may fetch, bytes'),
  FILE_ROOT: z.string().optional().describe('Folder file_read may read; absent: files/ in DATA_DIR'),
  FILE_MAX_BYTES: bytes(1, 64 * 1_048_576)
    .default(1_048_576)
    .describe('Largest file file_read returns, bytes'),
  WEATHER_FORECAST_URL: z
    .url()
    .default('https://api.open-meteo.com')
    .describe('Base address of the Open-Meteo forecast API'),
  WEATHER_GEOCODING_URL: z
    .url()
    .default('https://geocoding-api.open-meteo.com')
    .describe('Base address of the Open-Meteo geocoding API'),

  SANDBOX_THREADS: count(1, 64)
    .default(2)
    .describe('Most threads running registered tools at once, a worker process'),
  SANDBOX_MEMORY_BYTES: bytes(16 * 1_048_576, 1_073_741_824)
    .default(32 * 1_048_576)
    .describe("Memory of one registered tool's run, bytes"),

  WORKER_QUEUES: z
    .string()
    .default(QUEUE_KINDS.join())
    .describe(
      `Task queues a worker polls, comma-separated: ${QUEUE_KINDS.map((kind) => `${kind} (${QUEUE_WORK[kind]})`).join(', ')}`,
    ),
  WORKER_MAX_ACTIVITIES: count(1, 10_000)
    .default(100)
    .describe(
      'Most activities a worker runs at once that have no queue of their own, such as those of memory',
    ),
  WORKER_MAX_IO_ACTIVITIES: count(1, 10_000)
    .default(100)
    .describe('Most tools that wait for a network or a disk a worker runs at once'),
  WORKER_MAX_SANDBOX_ACTIVITIES: count(1, 1_000)
    .optional()
    .describe('Most tools of the sandbox a worker takes at once; absent: twice SANDBOX_THREADS'),
  WORKER_MAX_MODEL_ACTIVITIES: count(1, 10_000)
    .default(50)
    .describe('Most model calls a worker makes at once'),
  WORKER_MAX_LOCAL_ACTIVITIES: count(1, 10_000)
    .default(100)
    .describe('Most local activities a worker runs at once'),
  WORKER_MAX_WORKFLOW_TASKS: count(2, 10_000)
    .default(40)
    .describe('Most workflow tasks a worker runs at once'),
  WORKER_MAX_CACHED_WORKFLOWS: count(0, 100_000).default(500).describe('Workflows a worker keeps in memory'),
  WORKER_WORKFLOW_POLLERS: count(2, 1_000)
    .default(10)
    .describe('Most requests for workflow tasks that a worker has open, at most WORKER_MAX_WORKFLOW_TASKS'),
  WORKER_ACTIVITY_POLLERS: count(1, 1_000)
    .default(5)
    .describe('Most requests for activities that a worker has open, a queue, at most the slots there'),
  WORKER_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'it may have 1 to 100 letters, digits, _ and -')
    .optional()
    .describe(
      'What the builds of workers are builds of; with WORKER_BUILD_ID, runs stay on the build they began on',
    ),
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/, 'it may have 1 to 100 letters, digits, ., _, + and -')
    .refine((id) => id !== UNVERSIONED, `${UNVERSIONED} stands for workers without a build`)
    .optional()
    .describe(
      "Build of a worker, another one with each change of code; new runs go to the build of npm run deploy's choice",
    ),

  PLANNER_MAX_ITERATIONS: count(1, 100)
    .default(10)
    .describe('Most turns a planner runs tools in, and the most a request may ask for'),
  PLANNER_MAX_REPLANS: count(0, 20)
    .default(2)
    .describe("How often a planner may go on after a tool's failure, a run"),
  LLM_PROVIDER: z
    .enum(['auto', 'hosted', 'local', 'builtin'])
    .default('auto')
    .describe(
      'Model provider; auto: hosted where OPENAI_API_KEY is set, else local where LOCAL_LLM_BASE_URL is, else builtin',
    ),
  OPENAI_API_KEY: z.string().optional().describe('Key of the hosted model provider'),
  OPENAI_BASE_URL: z.url().optional().describe('Address of the hosted model provider, if not its own'),
  OPENAI_MODEL: z.string().default('gpt-4o-mini').describe('Default model of the hosted provider'),
  LOCAL_LLM_BASE_URL: z
    .url()
    .optional()
    .describe('Address of an OpenAI-compatible model server, such as http://localhost:11434/v1'),
  LOCAL_LLM_MODEL: z.string().default('llama3.1').describe('Default model of the local provider'),
  LOCAL_LLM_API_KEY: z.string().optional().describe('Key of the local provider, where it wants one'),
  LLM_TIMEOUT_MS: milliseconds(100, 600_000)
    .default(60_000)
    .describe('Longest a model call may take, retries included, ms'),
  LLM_MAX_ATTEMPTS: count(1, 10).default(3).describe('Most attempts at a model call that fails transiently'),

  VECTOR_STORE: z
    .enum(['auto', 'embedded', 'pinecone', 'none'])
    .default('auto')
    .describe(
      'Where semantic memories are searched; auto: pinecone where PINECONE_API_KEY is set, else embedded, which is in the store of the graph',
    ),
  PINECONE_API_KEY: z.string().optional().describe('Key of Pinecone'),
  PINECONE_INDEX: z.string().default('holdfast').describe('Index of Pinecone; made where there is none'),
  PINECONE_ENVIRONMENT: z
    .string()
    .default('us-east-1')
    .describe('Region in which an index of Pinecone is made'),
  PINECONE_CONTROLLER_URL: z.url().optional().describe("Address of Pinecone's control plane, if not its own"),
  MEMORY_SIMILARITY_THRESHOLD: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.7)
    .describe('Least similarity that a semantic search returns unless it asks for another, 0 to 1'),
  MEMORY_MAX_CONTEXT_MEMORIES: count(1, 1_000)
    .default(50)
    .describe('Most memories in the context of a conversation'),
  CONVERSATION_RECENT_MESSAGES: count(0, 100)
    .default(10)
    .describe('Latest messages of a session that a turn looks at whatever they say'),
  CONVERSATION_MEMORY_TIMEOUT_MS: milliseconds(100, 600_000)
    .default(10_000)
    .describe('Longest a turn waits for memory to recall, and to remember, retries included, ms'),
  MEMORY_MAX_RESULTS: count(1, 1_000).default(100).describe('Most memories that one search returns'),
  MEMORY_MAX_CONTENT_LENGTH: count(100, 1_000_000)
    .default(10_000)
    .describe('Longest text of a memory, characters'),
  MEMORY_MAX_PER_USER: count(1, 100_000_000)
    .optional()
    .describe('Most memories of a kind that a user may have; absent: no bound'),

  MAX_BATCH_QUERIES: count(1, 1_000).default(1_000).describe('Most queries in one batch of classifications'),
  SECRETS_KEY: z
    .string()
    .optional()
    .describe(
      'Key for credentials at rest, 64 hexadecimal digits or base64 of 32 bytes, the same for all processes; absent: one is made in DATA_DIR',
    ),

  MEMORY_EMBEDDING_PROVIDER: z
    .enum(['auto', 'transformers', 'lexical'])
    .default('auto')
    .describe(
      'What makes embeddings; auto: the model of MEMORY_EMBEDDING_MODEL where it is on disk or can be downloaded, else lexical',
    ),
  MEMORY_EMBEDDING_MODEL: z
    .string()
    .min(1)
    .max(500)
    .default('Xenova/all-mpnet-base-v2')
    .describe('Embedding model: a name of the hub, or a local folder'),
  MEMORY_EMBEDDING_DIMENSIONS: count(16, 4_096)
    .default(768)
    .describe('Length of every embedding; has to be that of the model'),
  MEMORY_EMBEDDING_HUB_URL: z
    .url()
    .default('https://huggingface.co')
    .describe('Base address that embedding models are downloaded from, into models/ in DATA_DIR'),
  MEMORY_EMBEDDING_CACHE_ENTRIES: count(0, 1_000_000)
    .default(10_000)
    .describe('Most texts whose embeddings a process keeps in memory'),
  MEMORY_EMBEDDING_CACHE_BYTES: bytes(0, 4_294_967_296)
    .default(64 * 1_048_576)
    .describe('Most memory those take, bytes'),

  STARTUP_WAIT_MS: milliseconds(0, 3_600_000)
    .default(60_000)
    .describe('How long a starting process waits for a Neo4j server or a bucket that is not there yet, ms'),
  WORKER_PROBE_PORT: port
    .optional()
    .describe('Port on which a worker alone answers /livez and /readyz; absent: none'),
  METRICS_ADDRESS: z
    .string()
    .regex(METRICS_LISTENER, 'it has to be like 127.0.0.1:9464 or [::1]:9464, an address and not a name')
    .optional()
    .describe(
      'Address of a Prometheus endpoint, /metrics, of this process, such as 127.0.0.1:9464; absent: none',
    ),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address of an OpenTelemetry collector that figures are sent to, such as http://localhost:4317; absent: none',
    ),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: z
    .enum(['grpc', 'http/protobuf'])
    .default('grpc')
    .describe(
      'How they are sent; with http/protobuf the address is the whole one, such as http://localhost:4318/v1/metrics',
    ),
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: z
    .string()
    .default('')
    .describe('Headers to send with them, such as key=value,key=value'),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds(1_000, 3_600_000)
    .default(60_000)
    .describe('How often they are sent, ms'),

  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least severe log level written'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('auto: pretty on a terminal, else JSON'),
});

export type Settings = z.infer<typeof settingsSchema>;
