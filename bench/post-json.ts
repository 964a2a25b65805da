import type { Pool } from 'undici';

/**
 * Posts a body as JSON, and returns that of the answer.
 * @param maxStatus the highest status that counts as success
 * @throws Error with the text of an answer with a higher status
 */
export async function postJson(
  pool: Pool,
  path: string,
  body: unknown,
  {
    maxStatus = 299,
    headers = {},
  }: { readonly maxStatus?: number; readonly headers?: Record<string, string> } = {},
): Promise<unknown> {
  const answer = await pool.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode > maxStatus) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text) as unknown;
}
