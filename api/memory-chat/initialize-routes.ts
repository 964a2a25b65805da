import { z } from 'zod';
import { MEMORY_COMPONENTS } from '../../src/contracts/http/memory';
import { currentModel, type ModelProviders } from '../../src/llm/model-providers';
import type { MemorySystem, TenantMemorySystem } from '../../src/memory/create-memory-system';
import { semanticComponents } from '../../src/memory/service/memory-service';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { connectedShape, embeddingSchema, storesShape } from '../memory/store-settings';

/** The route that chooses memory chat's stores of memories. */
export function memoryChatInitializeRoute(
  { configuration }: Pick<MemorySystem, 'configuration'>,
  { stores: { use } }: Pick<TenantMemorySystem, 'stores'>,
  models: Pick<ModelProviders, 'default' | 'resolve'>,
): AnyRoute {
  return defineRoute({
    method: 'post',
    path: '/api/memory-chat/initialize',
    ...documentedAs('initializeMemoryChat'),
    access: 'admin',
    concerns: 'service',
    tag: 'Memory chat',
    summary: 'Connect to the stores of memories, permanently and for all processes',
    description:
      'An empty body takes the configured stores. Memories stay in the store they were written to. See docs/callers/initializing.md.',
    message: 'Memory chat service initialized successfully',
    tools: () =>
      use(({ service }) => Promise.resolve(['graphdb', ...semanticComponents(service), 'embedder'])),
    request: {
      body: z.strictObject({
        config: z.strictObject({ ...storesShape, embedding: embeddingSchema }).prefault({}),
      }),
    },
    response: z.object({
      ...connectedShape,
      services: z.array(z.enum(MEMORY_COMPONENTS)),
      models: z.object({ embedding: z.string(), llm: z.string() }),
    }),
    handler: async ({ body: { config } }, context) => {
      const { services, embedding, leftBehind } = await configuration.initialize(
        'memory-chat',
        config,
        context.signal(),
      );
      return {
        initialized: true as const,
        services: [...services],
        models: { embedding: embedding.model, llm: currentModel(models) },
        leftBehind: [...leftBehind],
      };
    },
  });
}
