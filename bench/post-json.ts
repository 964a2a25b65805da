import type { Pool } from 'undici';

/**
 * Posts a body as JSON, and gives the answer's.
 * @param most highest status that is an answer
 * @throws Error with the text of any other answer
 */
export async function postJson(pool: Pool, path: string, body: unknown, most = 299): Promise<unknown> {
  const answer = await pool.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode > most) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text) as unknown;
}
