import { z } from 'zod';
import { readCursor, writeCursor } from '../../src/base/cursor';
import type { NamePage } from '../../src/stores/memory/memory-graph';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';
import type { MemoryServices } from './own-memory';
import { queryLimitSchema } from '../../requests/request-options';

const { defineRoute } = routesWith<MemoryServices>();

const DEFAULT_LIMIT = 50;

const count = z.number().int().min(0);
const times = {
  first: z.string().describe('The time of the earliest memory, ISO 8601'),
  last: z.string().describe('The time of the latest memory, ISO 8601'),
};
const next = z.string().optional().describe('Cursor of the next page; absent on the last page');
const positionSchema = z.tuple([z.string()]);

/** The routes that list who has memories, and in which sessions. */
export function memoryDirectoryRoutes(limits: MemoryRequestLimits): AnyRoute<MemoryServices>[] {
  const requests = memoryRequestSchemas(limits);
  const max = limits.MEMORY_MAX_RESULTS;
  const query = z.strictObject({
    limit: queryLimitSchema(max, 'MEMORY_MAX_RESULTS').default(Math.min(DEFAULT_LIMIT, max)),
    // A name has up to 200 characters, which JSON, UTF-8 and base64 may make eight times as long.
    cursor: z.string().max(1_700).optional().describe('`next` of the previous page'),
  });
  return [
    defineRoute({
      method: 'get',
      path: '/api/memory/users',
      ...documentedAs('listMemoryUsers'),
      access: 'admin',
      concerns: 'tenant',
      tag: 'Memory',
      summary: 'The users who have memories, by name, page by page',
      message: ({ users }) => `Found ${users.length} users`,
      tools: () => ['graphdb'],
      request: { query },
      response: z.object({
        users: z.array(z.object({ userId: z.string(), episodic: count, semantic: count, ...times })),
        next,
      }),
      handler: async ({ query: position }, { services }) => {
        const page = await (await services.memory.open()).directory.users(toNamePage(position));
        return { users: page.found.map(withTimes), ...nextCursor(page) };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/memory/sessions/:userId',
      ...documentedAs('listMemorySessions'),
      access: 'memory',
      tag: 'Memory',
      summary: 'The sessions of a user, by name, page by page',
      message: ({ sessions }) => `Found ${sessions.length} sessions`,
      tools: () => ['graphdb'],
      request: { params: requests.byUser, query },
      response: z.object({
        sessions: z.array(z.object({ sessionId: z.string(), memories: count, ...times })),
        next,
      }),
      handler: async ({ params: { userId }, query: position }, { services }) => {
        const page = await (await services.memory.open()).directory.sessions(userId, toNamePage(position));
        return { sessions: page.found.map(withTimes), ...nextCursor(page) };
      },
    }),
  ];
}

/** @throws HoldfastError `VALIDATION` for a text that is not the cursor of a page */
function toNamePage({ limit, cursor }: { limit: number; cursor?: string | undefined }): NamePage {
  return cursor === undefined ? { limit } : { limit, after: readCursor(cursor, positionSchema)[0] };
}

function nextCursor({ next: after }: { readonly next?: string }): { next?: string } {
  return after === undefined ? {} : { next: writeCursor([after]) };
}

function withTimes<T extends { readonly first: number; readonly last: number }>(summary: T) {
  const { first, last } = summary;
  return { ...summary, first: new Date(first).toISOString(), last: new Date(last).toISOString() };
}
