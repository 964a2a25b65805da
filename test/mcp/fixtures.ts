import { sourceOf } from '../../packages/mcp/endpoint/sources';
import { legacyTools } from './legacy-tools';
import { inputTools } from './input-tools';
import { promptFixtures } from './prompts';
import { resourceFixtures } from './resources';
import { SCHEMA_TOOL } from './tool-definitions';
import { taskTools, type Workbench } from './task-tools';
import type { McpAdditions } from '../../packages/mcp/endpoint/mcp-ports';

export { REGISTERED_TOOLS } from './registered-tools';

/**
 * What the conformance suite (`@modelcontextprotocol/conformance`) asks of a server under names of its own. Tools that only
 * return something are registered at the service, those that take time delegate to its own tools: the calls of both are
 * runs. The others answer by hand, because no tool of the service asks for such input or has such a schema.
 */
export function createFixtures(bench: Workbench): McpAdditions {
  return {
    addTo: (offer, secrets) => ({
      ...offer,
      tools: [
        ...offer.tools,
        sourceOf([...legacyTools(), ...inputTools(secrets), ...taskTools(offer, bench), SCHEMA_TOOL]),
      ],
      resources: [...offer.resources, resourceFixtures],
      prompts: [...offer.prompts, promptFixtures],
    }),
    extend(server) {
      server.registerCapabilities({ completions: {}, logging: {}, resources: { subscribe: true } });
      server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0 } }));
      server.setRequestHandler('resources/subscribe', () => ({}));
      server.setRequestHandler('resources/unsubscribe', () => ({}));
    },
  };
}
