import { z } from 'zod';
import { count, httpAddress, port } from './fields';

/** A host, with a port if it is not 7233. The SDK would refuse any other address at each attempt to connect. */
const TEMPORAL_SERVER = /^(\[[\da-f:.]+\]|[^\s/:[\]]+)(:\d{1,5})?$/i;

/** The parts of `temporal/sdk-patches` that can be left out. */
export const SDK_PATCHES = ['workflow-thread', 'stack-traces', 'small-values'] as const;
export type SdkPatch = (typeof SDK_PATCHES)[number];

export const temporalSettings = {
  TEMPORAL_ADDRESS: z
    .string()
    .regex(TEMPORAL_SERVER, 'it has to be like localhost:7233, without a scheme')
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
  TEMPORAL_PORT: port
    .default(7233)
    .describe('Port of the development server, and of the Temporal server of `npm run cluster`'),
  TEMPORAL_UI_PORT: port.default(8233).describe('Port of the UI of either server'),
  TEMPORAL_UI_URL: httpAddress
    .optional()
    .describe('Address of the Temporal UI that links point to, such as http://localhost:8233'),
  TEMPORAL_CLI_PATH: z.string().optional().describe('The temporal binary to run the development server with'),
  TEMPORAL_RETENTION_DAYS: count(1, 3650).default(30).describe('Days a closed run is kept by either server'),
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
  SDK_PATCHES: z
    .string()
    .default(SDK_PATCHES.join())
    .describe(
      `Which changes to Temporal's SDK this process makes, comma-separated, or none, to look for the cause of a fault: ${SDK_PATCHES.join(', ')}`,
    ),
  TASK_QUEUE: z
    .string()
    .min(1)
    .max(200)
    .default('holdfast')
    .describe('Task queue the API starts runs on and workers poll'),
};
