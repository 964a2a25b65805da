import type { Settings } from './settings';

/** Areas of the reference of settings, each by the setting that it begins with, in the order of the schema. */
export const SETTING_AREAS: Readonly<Partial<Record<keyof Settings, string>>> = {
  HOST: 'Addresses and folders',
  RECORDS_CORS_ORIGINS: 'Records',
  GRAPH_STORE: 'Where data is kept',
  TEMPORAL_ADDRESS: 'Temporal',
  WAIT_LIMIT_MS: 'Times',
  MAX_BODY_BYTES: 'Bounds on requests and results',
  EGRESS_ALLOW_PRIVATE: 'What tools may reach',
  SANDBOX_THREADS: 'Registered tools',
  WORKER_QUEUES: 'Workers',
  PLANNER_MAX_ITERATIONS: 'Planning and language models',
  VECTOR_STORE: 'Memory',
  MAX_BATCH_QUERIES: 'Intents and credentials',
  MEMORY_EMBEDDING_PROVIDER: 'Embeddings',
  STARTUP_WAIT_MS: 'Starting, and probes',
  METRICS_ADDRESS: 'Metrics',
  LOG_LEVEL: 'Logs',
};
