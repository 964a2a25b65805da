import type { Tool } from '@modelcontextprotocol/server';
import { sourceOf, type ToolSource } from './sources';
import type { Caller } from '../../../src/access/caller';
import type { FoundMemories } from '../../../src/contracts/http/memory';
import type { OpensMemory } from '../../../src/memory/create-memory-system';
import { parseInput } from '../../../api/http/input';
import { type MemoryRequestLimits, memoryRequestSchemas } from '../../../api/memory/memory-requests';
import { type AskedSearch, createSearch } from '../../../api/memory/search-route';
import { chooseUser } from './exchange';
import { checkArgumentNames } from './find-tool';

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

export interface MemorySearch {
  /** @throws HoldfastError `ACCESS_DENIED`, `VALIDATION`, or as the stores do */
  find(args: Readonly<Record<string, unknown>>, caller: Caller): Promise<FoundMemories>;
}

/** Creates the search over the memories of users. */
export function createMemorySearch(memory: OpensMemory, limits: MemoryRequestLimits): MemorySearch {
  const schema = memoryRequestSchemas(limits).search;
  const search = createSearch(limits);
  return {
    async find({ query, userId: named, limit }, caller) {
      const request = parseInput(schema, { query, userId: chooseUser(caller, named), limit }, 'arguments');
      return search.find(await memory.open(), request as AskedSearch);
    },
  };
}
