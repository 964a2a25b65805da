import { z } from 'zod';
import { MEMORY_COMPONENTS } from '../../src/contracts/http/memory';
import { currentModel, type ModelProviders } from '../../src/llm/model-providers';
import type { MemorySystem } from '../../src/memory/create-memory-system';
import { semanticComponents } from '../../src/memory/service/create-memory';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import type { MemoryServices } from '../memory/own-memory';
import {
  connectedShape,
  embeddingSchema,
  replaceSchema,
  showFormerStores,
  storesShape,
} from '../memory/store-settings';

const { defineRoute } = routesWith<MemoryServices>();

/** The route that chooses memory chat's stores of memories. */
export function memoryChatInitializeRoute(
  { configuration }: Pick<MemorySystem, 'configuration'>,
  models: Pick<ModelProviders, 'default' | 'resolve'>,
): AnyRoute<MemoryServices> {
  return defineRoute({
    method: 'post',
    path: '/api/memory-chat/initialize',
    ...documentedAs('initializeMemoryChat'),
    access: 'admin',
    concerns: 'service',
    tag: 'Memory chat',
    summary: 'Connect to the stores of memories, permanently and for all processes',
    description:
      'An empty body takes the stores in use. Other stores than those that were named before need `replace`. ' +
      'Memories stay in the store they were written to. See docs/callers/initializing.md.',
    message: 'Memory chat service initialized successfully',
    tools: async (_input, { memory }) => ['graphdb', ...semanticComponents(await memory.open()), 'embedder'],
    request: {
      body: z.strictObject({
        config: z.strictObject({ ...storesShape, embedding: embeddingSchema }).prefault({}),
        replace: replaceSchema,
      }),
    },
    response: z.object({
      ...connectedShape,
      services: z.array(z.enum(MEMORY_COMPONENTS)),
      models: z.object({ embedding: z.string(), llm: z.string() }),
    }),
    handler: async ({ body: { config, replace = false } }, context) => {
      const options = { replace, signal: context.signal() };
      const connected = await configuration.initialize('memory-chat', config, options);
      return {
        initialized: true as const,
        services: [...connected.services],
        models: { embedding: connected.embedding.model, llm: currentModel(models) },
        ...showFormerStores(connected.formerStores),
      };
    },
  });
}
