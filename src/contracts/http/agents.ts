import { z } from 'zod';

/** The version of an agent by which a turn was answered. */
export const agentVersionSchema = z.object({ id: z.string(), version: z.int() });
export type AgentVersion = Readonly<z.infer<typeof agentVersionSchema>>;

const timestamp = z.string().describe('ISO 8601');

/** An agent as lists show it. */
export const agentHeadSchema = agentVersionSchema.extend({
  name: z.string(),
  description: z.string(),
  createdAt: timestamp.describe('When the first version was stored, ISO 8601'),
  updatedAt: timestamp.describe('When this version was stored, ISO 8601'),
});
export type AgentHead = Readonly<z.infer<typeof agentHeadSchema>>;

/** A version that is kept. */
export const keptVersionSchema = z.object({ version: z.int(), updatedAt: timestamp });
export type KeptVersion = Readonly<z.infer<typeof keptVersionSchema>>;
