import type {
  Explanation,
  FoundMemories,
  MemoryContext,
  MemoryStats,
  RelatedMemories,
} from '../../contracts/http/memory';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode, Relationship } from '../../stores/memory/node';
import type { MemoryFilters } from '../../stores/memory/search';
import { type ContextQuery, createContextReader } from './context';
import { contentOf } from '../nodes/episodic-node';
import { memoryNotFound } from '../nodes/node-access';
import { type AsOf, madeBy, readSuperseded } from '../facts/as-of';
import type { Facts } from '../facts/facts';
import { listExcept } from '../nodes/list-except';
import type { ReadCounter } from '../nodes/read-counter';
import { type RankedNode, toExplanation } from '../search/ranking';
import type { MemorySearch } from '../search/search';
import { conceptOf } from '../nodes/semantic-node';

export interface OverviewPorts {
  readonly graph: UserMemories;
  readonly search: MemorySearch;
  readonly reads: ReadCounter;
  readonly facts: Pick<Facts, 'list'>;
}

export interface KindQuery {
  readonly filters?: MemoryFilters;
  /** Minimum relevance, 0 to 1; ignored without a text. */
  readonly threshold: number;
}

/** Without a text there are no reasons. */
type Found = Omit<RankedNode, 'reasons'> & Partial<Pick<RankedNode, 'reasons'>>;

export interface MemoryQuery extends AsOf {
  readonly userId: string;
  /** Absent: all memories that pass the filters, the latest first. */
  readonly text?: string | undefined;
  readonly limit: number;
  /** Whether each memory has an explanation of its place. Only a search by text has explanations. */
  readonly explain?: boolean | undefined;
  /** Absent: memories of that kind are not searched. */
  readonly episodic?: KindQuery | undefined;
  readonly semantic?: KindQuery | undefined;
}

export interface RelatedQuery {
  /** Absent: all relationships. */
  readonly relationship?: Relationship | undefined;
  /** Maximum number of memories of both kinds together, and the number of first ones that are left out. */
  readonly limit: number;
  readonly offset: number;
}

/** Reads memories of both kinds. All methods throw what graph, index and embedder throw. */
export interface MemoryOverview {
  find(query: MemoryQuery): Promise<FoundMemories>;
  /** Reads the context of a conversation: the latest memories of its session, and other memories that fit them. */
  context(query: ContextQuery): Promise<MemoryContext>;
  stats(userId: string): Promise<MemoryStats>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND` */
  related(id: string, query: RelatedQuery): Promise<RelatedMemories>;
}

export function createMemoryOverview({ graph, search, reads, facts }: OverviewPorts): MemoryOverview {
  async function findKind(
    { userId, text, limit, asOf }: MemoryQuery,
    kind: MemoryNode['kind'],
    query: KindQuery | undefined,
    except: (node: MemoryNode) => boolean,
  ): Promise<Found[]> {
    if (query === undefined) return [];
    const filters = madeBy(query.filters ?? {}, { asOf });
    if (text === undefined) {
      const nodes = await listExcept(graph, { userId, kind, filters, order: 'newest-first', limit }, except);
      return nodes.map((node) => ({ node, relevance: 1 }));
    }
    const { threshold } = query;
    return search.hybrid({ userId, kind, text, limit, threshold, except, filters, asOf });
  }

  const countReads = (foundNodes: readonly Found[]): Found[] =>
    foundNodes.map((each) => ({ ...each, node: reads.note(each.node) }));

  return {
    async find(query) {
      // Only events say facts.
      const isReadWhole = query.history === true || query.episodic === undefined;
      const except = await readSuperseded(facts, query.userId, { asOf: query.asOf, history: isReadWhole });
      const [episodic, semantic] = await Promise.all([
        findKind(query, 'episodic', query.episodic, except),
        findKind(query, 'semantic', query.semantic, except),
      ]);
      return {
        episodic: countReads(episodic).map(({ node, relevance, reasons }) => ({
          id: node.id,
          content: contentOf(node),
          timestamp: timeOf(node),
          relevanceScore: relevance,
          neighbourOf: reasons?.neighbourOf,
          ...explained(query, reasons),
        })),
        semantic: countReads(semantic).map(({ node, relevance, reasons }) => ({
          id: node.id,
          ...conceptOf(node),
          similarityScore: relevance,
          ...explained(query, reasons),
        })),
      };
    },

    context: createContextReader({ graph, search, reads, facts }),

    async stats(userId) {
      const { episodic, semantic, categories } = await graph.stats(userId);
      const toDate = (time: number | null): string | null =>
        time === null ? null : new Date(time).toISOString();
      return {
        episodic: { count: episodic.count, oldest: toDate(episodic.oldest), newest: toDate(episodic.newest) },
        semantic: { count: semantic.count, categories: [...categories] },
      };
    },

    async related(id, { relationship, limit, offset }) {
      if ((await graph.get(id)) === undefined) throw memoryNotFound(id);
      const related = await graph.related(id);
      const all = related.filter((each) => relationship === undefined || each.relationship === relationship);
      const wanted = all.slice(offset, offset + limit);
      const nodes = await graph.getMany(wanted.map((each) => each.id));
      const foundNodes = wanted.flatMap((each) => {
        const node = nodes.get(each.id);
        return node === undefined ? [] : [{ node, relationship: each.relationship }];
      });
      return {
        episodic: foundNodes.flatMap(({ node, relationship: is }) =>
          node.kind === 'episodic'
            ? [{ id: node.id, content: contentOf(node), timestamp: timeOf(node), relationship: is }]
            : [],
        ),
        semantic: foundNodes.flatMap(({ node, relationship: is }) =>
          node.kind === 'semantic' ? [{ id: node.id, ...conceptOf(node), relationship: is }] : [],
        ),
        total: all.length,
      };
    },
  };
}

function explained(
  { explain }: MemoryQuery,
  reasons: RankedNode['reasons'] | undefined,
): { explanation?: Explanation } {
  return explain === true && reasons !== undefined ? { explanation: toExplanation(reasons) } : {};
}

function timeOf({ timestamp }: MemoryNode): string {
  return new Date(timestamp).toISOString();
}
