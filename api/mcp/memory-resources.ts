import type { MemorySearch } from './memory-search';
import { jsonContent, JSON_TYPE, type ResourceSource } from './resource-source';
import { MEMORIES_URI_TEMPLATE, readMemoriesUri } from './resource-uris';

/** Creates the source of the memories of users. */
export function memoryResources(memories: MemorySearch): ResourceSource {
  return {
    templates: [
      {
        uriTemplate: MEMORIES_URI_TEMPLATE,
        name: 'memories',
        description: 'The latest memories of a user',
        mimeType: JSON_TYPE,
      },
    ],
    async read(uri, { context: { caller } }) {
      const userId = readMemoriesUri(uri);
      return userId === undefined ? undefined : jsonContent(uri, await memories.find({ userId }, caller));
    },
  };
}
