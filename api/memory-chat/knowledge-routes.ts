import { z } from 'zod';
import { type MemoryComponent, semanticMemorySchema } from '../../src/contracts/http/memory';
import { knowledgeHitSchema } from '../../src/contracts/http/memory-chat';
import type { NewSemantic } from '../../src/memory/nodes/memory-inputs';
import { documentedAs } from '../http/examples';
import { unchanged } from '../http/read-only';
import { type AnyRoute, routesWith } from '../http/route';
import { takingOthers } from '../http/schema-keys';
import { type MemoryChatLimits, memoryChatRequestSchemas } from './chat-requests';
import { READ_ONLY } from '../memory/memory-requests';
import { type MemoryServices, ofOwnMemory } from '../memory/own-memory';

const { defineRoute } = routesWith<MemoryServices>();

const TAG = 'Knowledge';
const STORE: readonly MemoryComponent[] = ['vectordb'];
const EMBEDDED: readonly MemoryComponent[] = ['vectordb', 'embedder'];

/** The routes of knowledge: a user's semantic memories in the form of memory chat. */
export function knowledgeRoutes(limits: MemoryChatLimits): AnyRoute<MemoryServices>[] {
  const requests = memoryChatRequestSchemas(limits);
  const checkOwner = ofOwnMemory('id');
  return [
    defineRoute({
      method: 'post',
      path: '/api/memory-chat/knowledge',
      ...documentedAs('createKnowledge'),
      access: 'memory',
      tag: TAG,
      summary: 'Store a piece of knowledge',
      status: 201,
      message: 'Knowledge stored successfully',
      tools: () => EMBEDDED,
      request: { body: takingOthers(requests.addKnowledge) },
      response: semanticMemorySchema,
      handler: async ({ body: { userId, concept, description, relationships, ...flat } }, { services }) => {
        const knowledge = { userId, concept, description, relationships, ...mergeMetadata(flat) };
        return (await services.memory.open()).semantic().create(knowledge);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/memory-chat/knowledge/search',
      ...documentedAs('searchKnowledge'),
      access: 'memory',
      tag: TAG,
      summary: 'Search knowledge by meaning and words, the most similar first',
      message: (items) => `Found ${items.length} knowledge items`,
      tools: () => EMBEDDED,
      request: { body: takingOthers(requests.searchKnowledge) },
      response: z.array(knowledgeHitSchema),
      handler: async ({ body: { filters, ...query } }, { services }) => {
        const search = { ...query, categories: filters?.categories };
        const items = await (await services.memory.open()).semantic().search(search);
        return items.map(({ id, concept, description, similarityScore, metadata }) => {
          const { category, confidence, source } = metadata;
          return { id, concept, description, similarityScore, metadata: { category, confidence, source } };
        });
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/memory-chat/knowledge/:id',
      ...documentedAs('getKnowledge'),
      access: 'memory',
      checkOwner,
      tag: TAG,
      summary: 'One piece of knowledge',
      message: 'Knowledge retrieved successfully',
      tools: () => STORE,
      request: { params: requests.byId },
      response: semanticMemorySchema,
      handler: async ({ params: { id } }, { services }) => (await services.memory.open()).semantic().get(id),
    }),
    defineRoute({
      method: 'put',
      path: '/api/memory-chat/knowledge/:id',
      ...documentedAs('updateKnowledge'),
      access: 'memory',
      checkOwner,
      tag: TAG,
      summary: 'Change a piece of knowledge; absent fields stay',
      message: 'Knowledge updated successfully',
      tools: () => EMBEDDED,
      request: { params: requests.byId, body: takingOthers(requests.changeKnowledge) },
      response: semanticMemorySchema,
      handler: async ({ params: { id }, body }, { services }) => {
        const { id: _id, userId: _user, concept, description, relationships, ...flat } = body;
        const patch = { concept, description, relationships, ...mergeMetadata(flat) };
        const check = unchanged(body, READ_ONLY.semantic);
        return (await services.memory.open()).semantic().update(id, patch, check);
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/api/memory-chat/knowledge/:id',
      ...documentedAs('deleteKnowledge'),
      access: 'memory',
      checkOwner,
      tag: TAG,
      summary: 'Forget a piece of knowledge',
      message: 'Knowledge deleted successfully',
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

interface FlatMetadata {
  readonly category?: string | undefined;
  readonly confidence?: number | undefined;
  readonly source?: string | undefined;
  readonly metadata?: NewSemantic['metadata'];
}

/** Merges the flat fields of a body into its `metadata`, whose own fields take precedence. */
function mergeMetadata({ metadata, ...flat }: FlatMetadata): Pick<NewSemantic, 'metadata'> {
  return { metadata: { ...flat, ...metadata } };
}
