import type { Config } from '../../src/settings/config';
import { type FoundMemories, foundMemoriesSchema } from '../../src/contracts/http/memory';
import type { ScoreRange, TimeRange } from '../../src/memory/nodes/memory-inputs';
import type { Memory } from '../../src/memory/service/create-memory';
import type { z } from 'zod';
import { documentedAs, type OperationId } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { takingOthers } from '../http/schema-keys';
import { toFilters } from './filters';
import type { MemoryServices } from './own-memory';
import { EPISODIC_SEARCH_THRESHOLD } from '../../src/memory/search/scoring';

const { defineRoute } = routesWith<MemoryServices>();

/** A search over both kinds of memories, as callers send it. */
export interface AskedSearch {
  readonly userId: string;
  /** Present: only events of this session are searched. */
  readonly sessionId?: string | undefined;
  readonly query?: string | undefined;
  readonly type?: 'episodic' | 'semantic' | 'both' | undefined;
  readonly limit: number;
  /** Minimum score, 0 to 1. */
  readonly threshold?: number | undefined;
  readonly explain?: boolean | undefined;
  /** Epoch milliseconds. */
  readonly asOf?: number | undefined;
  readonly history?: boolean | undefined;
  readonly filters?:
    | {
        readonly timeRange?: TimeRange | undefined;
        readonly tags?: readonly string[] | undefined;
        readonly categories?: readonly string[] | undefined;
        readonly importance?: ScoreRange | undefined;
      }
    | undefined;
}

type SearchedMemory = Pick<Memory, 'overview' | 'semantic' | 'hasSemantic'>;

type SearchLimits = Pick<Config, 'MEMORY_SIMILARITY_THRESHOLD'>;

export interface SearchRoute {
  readonly path: string;
  readonly operationId: OperationId;
  readonly tag: string;
  readonly body: z.ZodObject & z.ZodType<AskedSearch>;
}

/** Builds the search route over both kinds of memories, which memory and memory chat both have. */
export function searchRoute(
  { path, operationId, tag, body }: SearchRoute,
  limits: SearchLimits,
): AnyRoute<MemoryServices> {
  const search = createSearch(limits);
  return defineRoute({
    method: 'post',
    path,
    ...documentedAs(operationId),
    access: 'memory',
    tag,
    summary: 'Search memories by meaning and words',
    message: ({ episodic, semantic }) => `Found ${episodic.length + semantic.length} memories`,
    tools: async ({ body: request }, { memory }) => search.tools(await memory.open(), request),
    request: { body: takingOthers(body) },
    response: foundMemoriesSchema,
    handler: async ({ body: request }, { services }) => search.find(await services.memory.open(), request),
  });
}

/** A search over both kinds of memories. */
export interface Search {
  /** @throws HoldfastError `STORE_UNAVAILABLE` if concepts are searched and no store of them is configured */
  find(memory: SearchedMemory, request: AskedSearch): Promise<FoundMemories>;
  /** Returns the backing components that the search uses. */
  tools(memory: SearchedMemory, request: AskedSearch): readonly string[];
}

export function createSearch({ MEMORY_SIMILARITY_THRESHOLD }: SearchLimits): Search {
  return {
    find(memory, request) {
      const { userId, sessionId, query, limit, threshold, explain, asOf, history, filters = {} } = request;
      const { timeRange, importance, tags, categories } = filters;
      const { episodic, semantic } = selectKinds(memory, request);
      if (semantic) memory.semantic();
      return memory.overview.find({
        userId,
        text: query,
        limit,
        explain,
        asOf,
        history,
        episodic: episodic
          ? {
              filters: toFilters({ sessionId, timeRange, importance, labels: tags }),
              threshold: threshold ?? EPISODIC_SEARCH_THRESHOLD,
            }
          : undefined,
        semantic: semantic
          ? {
              filters: toFilters({ timeRange, importance, labels: categories }),
              threshold: threshold ?? MEMORY_SIMILARITY_THRESHOLD,
            }
          : undefined,
      });
    },
    tools(memory, request) {
      const { episodic, semantic } = selectKinds(memory, request);
      return [
        ...(episodic ? ['graphdb'] : []),
        ...(semantic ? ['vectordb'] : []),
        ...(request.query === undefined ? [] : ['embedder']),
      ];
    },
  };
}

/** Selects the kinds of memories to search: without a type, all kinds that have a store. */
function selectKinds(
  { hasSemantic }: SearchedMemory,
  { type }: AskedSearch,
): { readonly episodic: boolean; readonly semantic: boolean } {
  return {
    episodic: type !== 'semantic',
    semantic: type === undefined ? hasSemantic : type !== 'episodic',
  };
}
