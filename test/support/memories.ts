import { randomUUID } from 'node:crypto';
import type { Answer, Paths } from './http';

/** No embedding model is used: memories are compared by their words. */
export const LEXICAL = { MEMORY_EMBEDDING_PROVIDER: 'lexical' };

/** A user without memories, so that tests can share a service. */
export function newUser(): string {
  return `user-${randomUUID()}`;
}

export function postEpisodic({ post }: Paths, fields: object): Promise<Answer> {
  return post('/api/memory/episodic', { sessionId: 'session-1', content: 'a walk in the park', ...fields });
}

export function postSemantic({ post }: Paths, fields: object): Promise<Answer> {
  return post('/api/memory/semantic', { concept: 'park', description: 'a place to walk in', ...fields });
}

/** Adds a memory that a test needs, and returns it as the API answered it. Throws if the API refuses it. */
export async function addEpisodic(caller: Paths, fields: object) {
  return createdOf(await postEpisodic(caller, fields));
}

export async function addSemantic(caller: Paths, fields: object) {
  return createdOf(await postSemantic(caller, fields));
}

export function getEpisodic({ get }: Paths, id: string): Promise<Answer> {
  return get(`/api/memory/episodic/${id}`);
}

export function getSemantic({ get }: Paths, id: string): Promise<Answer> {
  return get(`/api/memory/semantic/${id}`);
}

export function putEpisodic({ send }: Paths, id: string, patch: object): Promise<Answer> {
  return send('PUT', `/api/memory/episodic/${id}`, patch);
}

export function putSemantic({ send }: Paths, id: string, patch: object): Promise<Answer> {
  return send('PUT', `/api/memory/semantic/${id}`, patch);
}

export function searchEpisodic({ post }: Paths, query: object): Promise<Answer> {
  return post('/api/memory/episodic/search', query);
}

export function searchSemantic({ post }: Paths, query: object): Promise<Answer> {
  return post('/api/memory/semantic/search', query);
}

export function searchMemory({ post }: Paths, query: object): Promise<Answer> {
  return post('/api/memory/search', query);
}

export function remember(api: Paths, userId: string, content: string, more: object = {}): Promise<Answer> {
  return postEpisodic(api, { userId, content, ...more });
}

export function know(api: Paths, userId: string, concept: string, description: string): Promise<Answer> {
  return postSemantic(api, { userId, concept, description });
}

export function findMemories(api: Paths, userId: string, query: string, more: object = {}): Promise<Answer> {
  return searchMemory(api, { userId, query, ...more });
}

export function clearMemories({ send }: Paths, userId: string): Promise<Answer> {
  return send('DELETE', `/api/memory/clear/${encodeURIComponent(userId)}`);
}

/** How many memories of each kind a user has. */
export async function countMemories(
  { get }: Paths,
  userId: string,
): Promise<{ episodic: number; semantic: number }> {
  const { body } = await get(`/api/memory/stats/${encodeURIComponent(userId)}`);
  return { episodic: body.data.episodic.count, semantic: body.data.semantic.count };
}

/** Ids in the order of the answer. */
export function idsOf(found: readonly { readonly id: string }[]): string[] {
  return found.map(({ id }) => id);
}

/** Ids of a session from its first memory to its last, read by following each `next`; also checks the way back. */
export async function chainOf(caller: Paths, someId: string): Promise<string[]> {
  const relationsOf = async (id: string) => (await getEpisodic(caller, id)).body.data.relationships;
  let first = await relationsOf(someId);
  let id = someId;
  while (first.previous !== undefined) {
    id = first.previous;
    first = await relationsOf(id);
  }
  const ids = [id];
  for (let { next } = first; next !== undefined;) {
    const relations = await relationsOf(next);
    expect(relations.previous).toBe(ids.at(-1));
    expect(ids).not.toContain(next);
    ids.push(next);
    next = relations.next;
  }
  return ids;
}

function createdOf({ status, text, body }: Answer) {
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return body.data;
}
