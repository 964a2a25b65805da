import type { Tool } from '@modelcontextprotocol/server';
import { checkArgumentNames } from './check-arguments';
import type { MemorySearch } from './memory-search';
import { sourceOf, type ToolSource } from './tool-source';

/** The tool that searches memories. Its calls need the right to memories and not that to run. */
export const SEARCH_MEMORIES = 'search_memories';

const TOOL: Tool = {
  name: SEARCH_MEMORIES,
  description: 'Searches what is remembered of a user, by meaning and words.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'Absent: the latest memories' },
      userId: { type: 'string', description: 'Needed unless the key belongs to one user' },
      limit: { type: 'integer', description: 'The maximum number of memories' },
    },
    required: [],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

/** Creates the source of the search over memories. It starts no run. */
export function memoryTool(search: MemorySearch): ToolSource {
  return sourceOf([
    {
      definition: TOOL,
      async call(args, { caller }) {
        checkArgumentNames(TOOL, args);
        return search.find(args, caller);
      },
    },
  ]);
}
