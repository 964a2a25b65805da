import { z } from 'zod';
import { AGENT_CAPABILITIES } from '../../src/contracts/http/agent';
import type { StoreConfiguration } from '../../src/memory/stores/configuration';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import {
  connectedShape,
  embeddingSchema,
  replaceSchema,
  showFormerStores,
  storesShape,
} from '../memory/store-settings';

/** The route that chooses the agent's stores of memories. */
export function agentInitializeRoute(configuration: Pick<StoreConfiguration, 'initialize'>): AnyRoute {
  return defineRoute({
    method: 'post',
    path: '/api/agent/initialize',
    ...documentedAs('initializeAgent'),
    access: 'admin',
    concerns: 'service',
    tag: 'Agent',
    summary: 'Connect to the stores of memories, permanently and for all processes',
    description:
      'An empty body takes the stores in use. Other stores than those that were named before need `replace`. ' +
      'Memories stay in the store they were written to. See docs/callers/initializing.md.',
    message: 'Agent service initialized successfully',
    request: {
      body: z.strictObject({
        memoryConfig: z.strictObject({ ...storesShape, embedding: embeddingSchema }).prefault({}),
        replace: replaceSchema,
      }),
    },
    response: z.object({
      ...connectedShape,
      capabilities: z.array(z.enum(AGENT_CAPABILITIES)),
    }),
    handler: async ({ body: { memoryConfig, replace = false } }, context) => {
      const options = { replace, signal: context.signal() };
      const { formerStores } = await configuration.initialize('agent', memoryConfig, options);
      return {
        initialized: true as const,
        capabilities: [...AGENT_CAPABILITIES],
        ...showFormerStores(formerStores),
      };
    },
  });
}
