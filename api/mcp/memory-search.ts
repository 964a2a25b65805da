import type { Caller } from '../../src/access/caller';
import type { FoundMemories } from '../../src/contracts/http/memory';
import type { MemoryStores } from '../../src/memory/stores/memory-stores';
import { parseInput } from '../http/input';
import { type MemoryRequestLimits, memoryRequestSchemas } from '../memory/memory-requests';
import { type AskedSearch, createSearch } from '../memory/search-route';
import { chooseUser } from './caller-user';

export interface MemorySearch {
  /** @throws HoldfastError `ACCESS_DENIED`, `VALIDATION`, or as the stores do */
  find(args: Readonly<Record<string, unknown>>, caller: Caller): Promise<FoundMemories>;
}

/** Creates the search over the memories of users. */
export function createMemorySearch(
  stores: Pick<MemoryStores, 'use'>,
  limits: MemoryRequestLimits,
): MemorySearch {
  const schema = memoryRequestSchemas(limits).search;
  const search = createSearch(limits);
  return {
    find({ query, userId: named, limit }, caller) {
      const asked = parseInput(schema, { query, userId: chooseUser(caller, named), limit }, 'arguments');
      return stores.use(({ service }) => search.find(service, asked as AskedSearch));
    },
  };
}
