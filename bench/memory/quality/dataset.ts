import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const conversationSchema = z.object({
  id: z.string(),
  turns: z.array(
    z.object({
      id: z.string(),
      session: z.number(),
      date: z.string(),
      speaker: z.string(),
      text: z.string(),
    }),
  ),
  questions: z.array(
    z.object({ q: z.string(), evidence: z.array(z.string()), category: z.union([z.number(), z.string()]) }),
  ),
});

/** A long conversation of two people over many sessions, with questions and the ids of the turns that answer them. */
export type LongConversation = z.infer<typeof conversationSchema>;

/** Reads conversations that lie outside of the project, one in each JSON file of a folder. @throws if a file has another form */
export function readConversations(folder: string): LongConversation[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  if (files.length === 0) throw new Error(`there are no conversations in ${folder}`);
  return files.map((name) => conversationSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
}
