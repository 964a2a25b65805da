import { z } from 'zod';
import { count, httpAddress, port } from './fields';

/** A host, with a port if it is not 7233. The SDK would refuse any other address at each attempt to connect. */
const TEMPORAL_SERVER = /^(\[[\da-f:.]+\]|[^\s/:[\]]+)(:\d{1,5})?$/i;

/** The parts of `temporal/sdk-patches` that can be left out. */
export const SDK_PATCHES = ['workflow-thread', 'stack-traces'] as const;
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
  TEMPORAL_PORT: port.default(7233).describe('Port of the development server'),
  TEMPORAL_UI_PORT: port.default(8233).describe('Port of the UI of the development server'),
  TEMPORAL_UI_URL: httpAddress
    .optional()
    .describe('Address of the Temporal UI that links point to, such as http://localhost:8233'),
  TEMPORAL_CLI_PATH: z.string().optional().describe('The temporal binary to run the development server with'),
  TEMPORAL_RETENTION_DAYS: count(1, 3650)
    .default(30)
    .describe('Days a closed run is kept by the development server'),
  SDK_PATCHES: z
    .string()
    .default(SDK_PATCHES.join())
    .describe(
      `Which changes to Temporal's SDK this process makes, comma-separated, or none, to look for the cause of a fault: ${SDK_PATCHES.join(', ')}; without workflow-thread, neither is made, and no run that ends its worker is recognised`,
    ),
  TASK_QUEUE: z
    .string()
    .min(1)
    .max(200)
    .default('holdfast')
    .describe('Task queue the API starts runs on and workers poll'),
};
