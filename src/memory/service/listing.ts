import type { EpisodicMemory, SemanticMemory } from '../../contracts/http/memory';
import { validationError } from '../../base/errors';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryKind } from '../../stores/memory/node';
import { type ListPosition, type ListQuery, MAX_MEMORY_LIMIT } from '../../stores/memory/search';
import { presentMemories } from '../nodes/list-except';

export interface MemoryPageQuery {
  readonly userId: string;
  readonly kind: MemoryKind;
  readonly order: ListQuery['order'];
  readonly limit: number;
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
}

export interface MemoryPage {
  readonly memories: readonly (EpisodicMemory | SemanticMemory)[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
}

/** Lists all memories of a user, page by page. It counts no reads. */
export interface MemoryListing {
  /**
   * Pages stay consistent while memories are added and deleted. @throws HoldfastError `VALIDATION` for an invalid
   * cursor
   */
  page(query: MemoryPageQuery): Promise<MemoryPage>;
}

export function createMemoryListing(graph: Pick<UserMemories, 'list' | 'relatedOfMany'>): MemoryListing {
  return {
    async page({ userId, kind, order, limit: askedLimit, cursor }) {
      const limit = Math.min(askedLimit, MAX_MEMORY_LIMIT - 1);
      const after = cursor === undefined ? {} : { after: decode(cursor) };
      // One memory more than asked for shows whether there is another page.
      const nodes = await graph.list({ userId, kind, order, limit: limit + 1, ...after });
      const shown = nodes.slice(0, limit);
      const memories = await presentMemories(graph, kind, shown);
      const last = shown.at(-1);
      return { memories, ...(nodes.length > limit && last !== undefined ? { next: encode(last) } : {}) };
    },
  };
}

function encode({ timestamp, id }: ListPosition): string {
  return Buffer.from(`${timestamp}.${id}`).toString('base64url');
}

function decode(cursor: string): ListPosition {
  const [, timestamp, id] = /^(-?\d{1,16})\.(.+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (timestamp === undefined || id === undefined)
    throw validationError('cursor', 'cursor is not one of a page');
  return { timestamp: Number(timestamp), id };
}
