import { z } from 'zod';
import { QUEUE_KINDS } from '../queues';

export const healthStatusSchema = z.enum(['healthy', 'unhealthy']);
export type HealthStatus = z.infer<typeof healthStatusSchema>;
/** `degraded`: some runs wait for a worker and all others continue, so the service as a whole is healthy. */
export const workerStatusSchema = z.enum(['healthy', 'degraded', 'unhealthy']);
export type WorkerStatus = z.infer<typeof workerStatusSchema>;

const record = {
  status: healthStatusSchema,
  timestamp: z.iso.datetime(),
  /** Seconds since the process started. */
  uptime: z.number(),
  version: z.string(),
};

export const basicHealthSchema = z.object({
  ...record,
  services: z.object({
    database: healthStatusSchema,
    llm: healthStatusSchema,
    tools: healthStatusSchema,
    temporal: healthStatusSchema,
    workers: workerStatusSchema,
    disk: healthStatusSchema,
  }),
});
export type BasicHealth = z.infer<typeof basicHealthSchema>;

const tally = z.object({
  count: z.number(),
  last: z.object({ at: z.iso.datetime(), reason: z.string() }).optional(),
});

const checked = { status: healthStatusSchema, lastCheck: z.iso.datetime(), reason: z.string().optional() };

/** Who polls a task queue of other workers. */
const externalQueuePollsSchema = z.object({
  taskQueue: z.string(),
  activityPollers: z.number().describe('Workers that polled it for activities in the last 70 s'),
  workflowPollers: z.number().describe('Workers that polled it for workflows in the last 70 s'),
});
export type ExternalQueuePolls = z.infer<typeof externalQueuePollsSchema>;

export const detailedHealthSchema = z.object({
  ...record,
  services: z.object({
    database: z.object({ ...checked, responseTime: z.number(), store: z.enum(['embedded', 'neo4j']) }),
    llm: z
      .object({ ...checked, status: workerStatusSchema, providers: z.array(z.string()) })
      .describe('`degraded` while the built-in rules or quotations stand in for a model'),
    tools: z.object({
      ...checked,
      registeredTools: z.number(),
      externalQueues: z
        .array(externalQueuePollsSchema)
        .optional()
        .describe('The task queues of other workers that you may name; absent if there are none'),
    }),
    embedder: z
      .object({
        ...checked,
        status: z.enum(['healthy', 'degraded']),
        provider: z.string(),
        model: z.string(),
        dimensions: z.number(),
        finds: z.enum(['meaning', 'words']).describe('What memories are found by'),
        progress: z.number().optional().describe('The share of a model that is being downloaded, 0 to 1'),
        note: z.string().describe('How memories are found, and what another embedder would give'),
      })
      .optional()
      .describe(
        'What makes vectors of memories; degraded if it, or one that the settings prefer, cannot be used. Absent if the ' +
          'store cannot be read',
      ),
    temporal: z.object({ ...checked, responseTime: z.number() }),
    disk: z
      .object({ ...checked, responseTime: z.number() })
      .describe('The disk of DATA_DIR; unhealthy when it is full'),
    workers: z.object({
      ...checked,
      status: workerStatusSchema,
      responseTime: z.number(),
      queues: z
        .array(
          z.object({
            kind: z.enum(QUEUE_KINDS),
            taskQueue: z.string(),
            pollers: z.number().describe('Worker processes that polled it in the last 70 s'),
            status: workerStatusSchema,
          }),
        )
        .describe('The task queues, one for each kind of work; empty if Temporal cannot be reached'),
      abnormalEnds: tally
        .optional()
        .describe(
          'Worker processes and workflow threads that ended without being stopped; absent if the store cannot be read',
        ),
      endedRuns: tally
        .optional()
        .describe(
          'Runs that were terminated because their workflow code crashed or stalled its worker twice',
        ),
    }),
  }),
  egress: z.object({
    privateAddresses: z
      .enum(['allowed', 'refused'])
      .describe('Whether tools in runs of this API may call private and loopback addresses'),
  }),
  clock: z
    .object({ skewMs: z.number(), warning: z.string().optional() })
    .optional()
    .describe(
      'How far the clock of this machine is ahead of that of the Temporal server, milliseconds, with a warning beyond 5 s; ' +
        'absent until the server was asked. Limits are measured by the clock of the server, so the health does not depend on it',
    ),
  metrics: z.object({ memoryUsage: z.string(), cpuUsage: z.string(), activeConnections: z.number() }),
});
export type DetailedHealth = z.infer<typeof detailedHealthSchema>;
