import { client, dataOf } from './client';

interface EventQuery {
  readonly userId: string;
  readonly sessionId: string;
  readonly tags?: string[];
  readonly asOf?: string | undefined;
}

/** How many the API finds by default. */
const PAGE = 10;

/** Reads a page of the events of a session, the latest first. The next one begins at the time of the last of them. */
export async function readEvents(query: EventQuery, end: string | undefined, signal?: AbortSignal) {
  const body = { ...query, timeRange: { end } };
  const rows = await dataOf(client.value.POST('/api/memory/episodic/search', { body, signal }));
  const last = rows.at(-1)?.timestamp;
  return { rows, next: rows.length < PAGE || last === end ? undefined : last };
}
