import { z } from 'zod';

export const healthStatusSchema = z.enum(['healthy', 'unhealthy']);
export type HealthStatus = z.infer<typeof healthStatusSchema>;

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
  }),
});
export type BasicHealth = z.infer<typeof basicHealthSchema>;

const checked = { status: healthStatusSchema, lastCheck: z.iso.datetime(), reason: z.string().optional() };

export const detailedHealthSchema = z.object({
  ...record,
  services: z.object({
    database: z.object({ ...checked, responseTime: z.number(), store: z.enum(['embedded', 'neo4j']) }),
    llm: z.object({ ...checked, providers: z.array(z.string()) }),
    tools: z.object({ ...checked, registeredTools: z.number() }),
    temporal: z.object({ ...checked, responseTime: z.number() }),
  }),
  metrics: z.object({ memoryUsage: z.string(), cpuUsage: z.string(), activeConnections: z.number() }),
});
export type DetailedHealth = z.infer<typeof detailedHealthSchema>;
