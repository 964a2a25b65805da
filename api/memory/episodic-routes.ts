import { z } from 'zod';
import { episodicMemorySchema, type MemoryComponent } from '../../src/contracts/http/memory';
import type { EpisodicPatch } from '../../src/memory/nodes/memory-inputs';
import { documentedAs } from '../http/examples';
import { unchanged } from '../http/read-only';
import { type AnyRoute, routesWith } from '../http/route';
import { takingOthers } from '../http/schema-keys';
import { toFilters } from './filters';
import { type MemoryRequestLimits, memoryRequestSchemas, READ_ONLY } from './memory-requests';
import { type MemoryServices, ofOwnMemory } from './own-memory';

const { defineRoute } = routesWith<MemoryServices>();

const TAG = 'Episodic memories';
const GRAPH: readonly MemoryComponent[] = ['graphdb'];
const EMBEDDED: readonly MemoryComponent[] = ['graphdb', 'embedder'];

/** The routes of episodic memories: events and messages of conversations. */
export function episodicMemoryRoutes(limits: MemoryRequestLimits): AnyRoute<MemoryServices>[] {
  const requests = memoryRequestSchemas(limits);
  const checkOwner = ofOwnMemory('id');
  return [
    defineRoute({
      method: 'post',
      path: '/api/memory/episodic',
      ...documentedAs('createEpisodicMemory'),
      access: 'memory',
      tag: TAG,
      summary: 'Remember an event',
      description:
        'It is added at the end of its session, or at the position of `relationships.previous` or `next`.',
      status: 201,
      message: 'Episodic memory created successfully',
      tools: () => EMBEDDED,
      request: { body: takingOthers(requests.createEpisodic) },
      response: episodicMemorySchema,
      handler: async ({ body }, { services }) => (await services.memory.open()).episodic.create(body),
    }),
    defineRoute({
      method: 'post',
      path: '/api/memory/episodic/search',
      ...documentedAs('searchEpisodicMemories'),
      access: 'memory',
      tag: TAG,
      summary: 'Search events by session, time, tags and importance, the latest first',
      message: (memories) => `Found ${memories.length} episodic memories`,
      tools: () => GRAPH,
      request: { body: takingOthers(requests.searchEpisodic) },
      response: z.array(episodicMemorySchema),
      handler: async ({ body: { userId, limit, asOf, history, tags, ...bounds } }, { services }) => {
        const filters = toFilters({ ...bounds, labels: tags });
        return (await services.memory.open()).episodic.list({ userId, limit, asOf, history, filters });
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/memory/episodic/:id',
      ...documentedAs('getEpisodicMemory'),
      access: 'memory',
      checkOwner,
      tag: TAG,
      summary: 'One event',
      message: 'Episodic memory retrieved successfully',
      tools: () => GRAPH,
      request: { params: requests.byId },
      response: episodicMemorySchema,
      handler: async ({ params: { id } }, { services }) => (await services.memory.open()).episodic.get(id),
    }),
    defineRoute({
      method: 'put',
      path: '/api/memory/episodic/:id',
      ...documentedAs('updateEpisodicMemory'),
      access: 'memory',
      checkOwner,
      tag: TAG,
      summary: 'Change an event; absent fields stay, null removes an optional field',
      message: 'Episodic memory updated successfully',
      tools: ({ body }) => (changesText(body) ? EMBEDDED : GRAPH),
      request: { params: requests.byId, body: takingOthers(requests.updateEpisodic) },
      response: episodicMemorySchema,
      handler: async ({ params: { id }, body }, { services }) =>
        (await services.memory.open()).episodic.update(id, body, unchanged(body, READ_ONLY.episodic)),
    }),
    defineRoute({
      method: 'delete',
      path: '/api/memory/episodic/:id',
      ...documentedAs('deleteEpisodicMemory'),
      access: 'memory',
      checkOwner,
      tag: TAG,
      summary: 'Forget an event; the events before and after it become neighbours',
      message: 'Episodic memory deleted successfully',
      tools: () => GRAPH,
      request: { params: requests.byId },
      response: z.object({ deleted: z.literal(true) }),
      handler: async ({ params: { id } }, { services }) => {
        await (await services.memory.open()).episodic.delete(id);
        return { deleted: true as const };
      },
    }),
  ];
}

/** Whether a patch may change text that is searched by meaning, so that the memory is embedded again. */
function changesText({ content, context, metadata }: EpisodicPatch): boolean {
  return [content, context, metadata?.location, metadata?.participants].some((sent) => sent !== undefined);
}
