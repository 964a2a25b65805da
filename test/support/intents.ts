import type { Answer, Paths } from './http';

/** The user who asks. */
export const ASKED_BY = { userId: 'user-1', sessionId: 'session-1' };

export function initializeIntents({ post }: Pick<Paths, 'post'>, llmConfig: object = {}): Promise<Answer> {
  return post('/api/intent-classifier/initialize', { llmConfig });
}

export function classify(
  { post }: Pick<Paths, 'post'>,
  query: unknown,
  options: object = {},
): Promise<Answer> {
  return post('/api/intent-classifier/classify', { query, options: { ...ASKED_BY, ...options } });
}

export function classifyBatch(
  { post }: Pick<Paths, 'post'>,
  queries: readonly object[],
  options?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = { queries, ...(options === undefined ? {} : { options }) };
  return post('/api/intent-classifier/classify-batch', body, headers);
}

/** Figures of the area, as an API counts. */
export async function intentFigures({ get }: Pick<Paths, 'get'>) {
  const { body } = await get('/api/intent-classifier/stats');
  return body.data;
}
