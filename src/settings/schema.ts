import { z } from 'zod';
import { accessSettings } from './access';
import { boundSettings, timeSettings } from './limits';
import { mcpSettings, mcpServerSettings } from './mcp';
import { embeddingSettings, memorySettings } from './memory';
import { intentSettings, modelSettings } from './models';
import { addressSettings, logSettings, metricSettings, startSettings } from './process';
import { storeSettings, recordSettings } from './stores';
import { temporalSettings } from './temporal';
import { reachSettings, sandboxSettings } from './tools';
import { webhookSettings } from './webhooks';
import { workerSettings } from './workers';

/** Settings by the environment variable that carries each, area by area as they are documented. */
export const SETTING_AREAS = {
  'Addresses and folders': addressSettings,
  'Who may call': accessSettings,
  Records: recordSettings,
  'Where data is kept': storeSettings,
  Temporal: temporalSettings,
  Times: timeSettings,
  'Bounds on requests and results': boundSettings,
  'What tools may reach': reachSettings,
  'Registered tools': sandboxSettings,
  'The Model Context Protocol': mcpSettings,
  'Remote MCP servers': mcpServerSettings,
  Webhooks: webhookSettings,
  Workers: workerSettings,
  'Planning and language models': modelSettings,
  Memory: memorySettings,
  'Intents and credentials': intentSettings,
  Embeddings: embeddingSettings,
  'Starting, and probes': startSettings,
  Metrics: metricSettings,
  Logs: logSettings,
};

/** Every setting. Descriptions are the reference for operators; units are in them. */
export const settingsSchema = z.object({
  ...addressSettings,
  ...accessSettings,
  ...recordSettings,
  ...storeSettings,
  ...temporalSettings,
  ...timeSettings,
  ...boundSettings,
  ...reachSettings,
  ...sandboxSettings,
  ...mcpSettings,
  ...mcpServerSettings,
  ...webhookSettings,
  ...workerSettings,
  ...modelSettings,
  ...memorySettings,
  ...intentSettings,
  ...embeddingSettings,
  ...startSettings,
  ...metricSettings,
  ...logSettings,
});

export type Settings = z.infer<typeof settingsSchema>;
