import type { Config } from '../../src/config';
import type { FoundMemories } from '../../src/contracts/http/memory';
import type { ScoreRange, TimeRange } from '../../src/memory/nodes/inputs';
import type { MemoryService } from '../../src/memory/service/memory-service';
import { EPISODIC_THRESHOLD } from '../../src/memory/search/thresholds';
import { toFilters } from './filters';

/** A search across both kinds of memories as callers send it. */
export interface AskedSearch {
  readonly userId: string;
  /** Events of this session alone. */
  readonly sessionId?: string | undefined;
  readonly query?: string | undefined;
  readonly type?: 'episodic' | 'semantic' | 'both' | undefined;
  readonly limit: number;
  /** Least score, 0 to 1. */
  readonly threshold?: number | undefined;
  readonly filters?:
    | {
        readonly timeRange?: TimeRange | undefined;
        readonly tags?: readonly string[] | undefined;
        readonly categories?: readonly string[] | undefined;
        readonly importance?: ScoreRange | undefined;
      }
    | undefined;
}

type SearchedMemory = Pick<MemoryService, 'overview' | 'semantic' | 'hasSemantic'>;

export interface SearchRequest {
  /** @throws HoldfastError `STORE_UNAVAILABLE` where concepts are asked for and there is no store of them */
  find(memory: SearchedMemory, asked: AskedSearch): Promise<FoundMemories>;
  /** The backing components that it uses. */
  tools(memory: SearchedMemory, asked: AskedSearch): readonly string[];
}

export function createSearchRequest({
  MEMORY_SIMILARITY_THRESHOLD,
}: Pick<Config, 'MEMORY_SIMILARITY_THRESHOLD'>): SearchRequest {
  return {
    find(memory, asked) {
      const { userId, sessionId, query, limit, threshold, filters = {} } = asked;
      const { timeRange, importance, tags, categories } = filters;
      const { episodic, semantic } = kindsOf(memory, asked);
      if (semantic) memory.semantic();
      return memory.overview.find({
        userId,
        text: query,
        limit,
        episodic: episodic
          ? {
              filters: toFilters({ sessionId, timeRange, importance, labels: tags }),
              threshold: threshold ?? EPISODIC_THRESHOLD,
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
    tools(memory, asked) {
      const { episodic, semantic } = kindsOf(memory, asked);
      return [
        ...(episodic ? ['graphdb'] : []),
        ...(semantic ? ['vectordb'] : []),
        ...(asked.query === undefined ? [] : ['embedder']),
      ];
    },
  };
}

/** Which kinds a search looks at: without a type, those that there are. */
function kindsOf(
  { hasSemantic }: SearchedMemory,
  { type }: AskedSearch,
): { readonly episodic: boolean; readonly semantic: boolean } {
  return {
    episodic: type !== 'semantic',
    semantic: type === undefined ? hasSemantic : type !== 'episodic',
  };
}
