import { z } from 'zod';
import { type MemoryComponent, scoreSchema, semanticMemorySchema } from '../../src/contracts/http/memory';
import { documentedAs } from '../http/examples';
import { unchanged } from '../http/read-only';
import { type AnyRoute, routesWith } from '../http/route';
import { takingOthers } from '../http/schema-keys';
import { type MemoryRequestLimits, memoryRequestSchemas, READ_ONLY } from './memory-requests';
import { type MemoryServices, ofOwnMemory } from './own-memory';

const { defineRoute } = routesWith<MemoryServices>();

const TAG = 'Semantic memories';
const STORE: readonly MemoryComponent[] = ['vectordb'];
const EMBEDDED: readonly MemoryComponent[] = ['vectordb', 'embedder'];

/** The routes of semantic memories: concepts and facts. */
export function semanticMemoryRoutes(limits: MemoryRequestLimits): AnyRoute<MemoryServices>[] {
  const requests = memoryRequestSchemas(limits);
  const checkOwner = ofOwnMemory('id');
  return [
    defineRoute({
      method: 'post',
      path: '/api/memory/semantic',
      ...documentedAs('createSemanticMemory'),
      access: 'memory',
      tag: TAG,
      summary: 'Remember a concept',
      status: 201,
      message: 'Semantic memory created successfully',
      tools: () => EMBEDDED,
      request: { body: takingOthers(requests.createSemantic) },
      response: semanticMemorySchema,
      handler: async ({ body }, { services }) => (await services.memory.open()).semantic().create(body),
    }),
    defineRoute({
      method: 'post',
      path: '/api/memory/semantic/search',
      ...documentedAs('searchSemanticMemories'),
      access: 'memory',
      tag: TAG,
      summary: 'Search concepts by meaning and words, the most similar first',
      message: (memories) => `Found ${memories.length} semantic memories`,
      tools: () => EMBEDDED,
      request: { body: takingOthers(requests.searchSemantic) },
      response: z.array(semanticMemorySchema.extend({ similarityScore: scoreSchema })),
      handler: async ({ body: { filters, ...query } }, { services }) =>
        (await services.memory.open()).semantic().search({ ...query, categories: filters?.categories }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/memory/semantic/:id',
      ...documentedAs('getSemanticMemory'),
      access: 'memory',
      checkOwner,
      tag: TAG,
      summary: 'One concept',
      message: 'Semantic memory retrieved successfully',
      tools: () => STORE,
      request: { params: requests.byId },
      response: semanticMemorySchema,
      handler: async ({ params: { id } }, { services }) => (await services.memory.open()).semantic().get(id),
    }),
    defineRoute({
      method: 'put',
      path: '/api/memory/semantic/:id',
      ...documentedAs('updateSemanticMemory'),
      access: 'memory',
      checkOwner,
      tag: TAG,
      summary: 'Change a concept; absent fields stay',
      message: 'Semantic memory updated successfully',
      tools: () => EMBEDDED,
      request: { params: requests.byId, body: takingOthers(requests.updateSemantic) },
      response: semanticMemorySchema,
      handler: async ({ params: { id }, body }, { services }) =>
        (await services.memory.open()).semantic().update(id, body, unchanged(body, READ_ONLY.semantic)),
    }),
    defineRoute({
      method: 'delete',
      path: '/api/memory/semantic/:id',
      ...documentedAs('deleteSemanticMemory'),
      access: 'memory',
      checkOwner,
      tag: TAG,
      summary: 'Forget a concept',
      message: 'Semantic memory deleted successfully',
      tools: () => STORE,
      request: { params: requests.byId },
      response: z.object({ deleted: z.literal(true) }),
      handler: async ({ params: { id } }, { services }) => {
        await (await services.memory.open()).semantic().delete(id);
        return { deleted: true as const };
      },
    }),
  ];
}
