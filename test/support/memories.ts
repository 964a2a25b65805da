import type { Answer } from './http';

type Api = {
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
};

/** Settings of a service that compares words and looks for no model. */
export const LEXICAL = { MEMORY_EMBEDDING_PROVIDER: 'lexical' };

export function remember({ post }: Api, userId: string, content: string, more: object = {}): Promise<Answer> {
  return post('/api/memory/episodic', { userId, sessionId: 'session-1', content, ...more });
}

export function know({ post }: Api, userId: string, concept: string, description: string): Promise<Answer> {
  return post('/api/memory/semantic', { userId, concept, description });
}

export function findMemories(
  { post }: Api,
  userId: string,
  query: string,
  more: object = {},
): Promise<Answer> {
  return post('/api/memory/search', { userId, query, ...more });
}

export function clearMemories({ send }: Api, userId: string): Promise<Answer> {
  return send('DELETE', `/api/memory/clear/${encodeURIComponent(userId)}`);
}

/** How many memories of each kind a user has. */
export async function countMemories(
  { get }: Api,
  userId: string,
): Promise<{ episodic: number; semantic: number }> {
  const { body } = await get(`/api/memory/stats/${encodeURIComponent(userId)}`);
  return { episodic: body.data.episodic.count, semantic: body.data.semantic.count };
}
