import type { Changes } from '../../hash';
import { client, dataOf } from '../../api/client';
import { caller, may } from '../../session';
import type { Schema } from '../../parts/schema';

export interface MemoryForm {
  /** What its link says. */
  readonly action: string;
  readonly about: string;
  readonly schema: Schema;
  /** Whether the key may do it; absent: as all of the pane. */
  readonly isShown?: () => boolean;
  /** Sends what is written. Returns what the address has then. */
  send(user: string, value: Readonly<Record<string, string>>): Promise<Changes>;
}

const text = (description?: string) => ({ type: 'string', ...(description && { description }) });
const schemaOf = (properties: Record<string, Schema>, required: readonly string[]): Schema => ({
  properties,
  required,
});

/** Starts an import of lines, or of a file of them. */
export async function startImport(userId: string, lines: string | Blob): Promise<Changes> {
  const call = client.value.POST('/api/memory/import/{userId}', {
    params: { path: { userId } },
    headers: { 'Content-Type': 'application/x-ndjson' },
    // `fetch` sends texts and files as they are.
    body: lines as string,
    bodySerializer: (body) => body as string,
  });
  return { import: (await dataOf(call)).id };
}

/** What can be done about the memories of a user, by the name of the form in the address. */
export const FORMS: Readonly<Record<string, MemoryForm>> = {
  event: {
    action: 'Add event',
    about: 'Something that the user says or that happens. Facts are drawn from it.',
    schema: schemaOf(
      {
        sessionId: text(),
        content: text(),
        timestamp: text('When it happened, as in 2023-03-01T10:00:00Z; by default now'),
      },
      ['sessionId', 'content'],
    ),
    async send(userId, { sessionId = '', content = '', timestamp }) {
      const body = { userId, sessionId, content, timestamp };
      return { memory: (await dataOf(client.value.POST('/api/memory/episodic', { body }))).id };
    },
  },
  concept: {
    action: 'Add concept',
    about: 'Something to know, whatever happens.',
    schema: schemaOf({ concept: text(), description: text() }, ['concept', 'description']),
    async send(userId, { concept = '', description = '' }) {
      const body = { userId, concept, description };
      const { id } = await dataOf(client.value.POST('/api/memory/semantic', { body }));
      return { memory: id, kind: 'semantic' };
    },
  },
  import: {
    action: 'Import',
    about: 'One JSON object a line: of an export, or { role, content, timestamp, sessionId }.',
    schema: schemaOf({ lines: text() }, ['lines']),
    send: (userId, { lines = '' }) => startImport(userId, lines),
  },
  erase: {
    action: 'Erase',
    about: 'Removes all memories and files of the user, and the runs of their turns. It cannot be undone.',
    isShown: () => may('admin') || caller.value?.userId !== undefined,
    schema: schemaOf({ user: text('The name of this user') }, ['user']),
    async send(userId, { user }) {
      if (user !== userId) throw new Error(`This is not the name of the user, which is ${userId}`);
      const params = { path: { userId } };
      const erasure = client.value.DELETE('/api/memory/clear/{userId}', { params });
      return { receipt: (await client.value.result(erasure)).receipt };
    },
  },
};
