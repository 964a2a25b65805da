import type { MemoryContext } from '../../contracts/http/memory';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import type { MemoryFilters } from '../../stores/memory/search';
import { contentOf } from '../nodes/episodic-node';
import { toHeldFact } from '../../contracts/facts';
import { type AsOf, madeBy } from '../facts/as-of';
import { holdsAt, type Facts } from '../facts/facts';
import { listExcept } from '../nodes/list-except';
import type { ReadCounter } from '../nodes/read-counter';
import type { HybridQuery, MemorySearch } from '../search/search';
import { conceptOf } from '../nodes/semantic-node';
import { EPISODIC_THRESHOLD } from '../search/scoring';
import { createStandingText } from '../facts/sayings';

export interface ContextPorts {
  readonly graph: Pick<UserMemories, 'list'>;
  readonly search: MemorySearch;
  readonly reads: ReadCounter;
  readonly facts: Pick<Facts, 'list'>;
}

export interface ContextQuery extends AsOf {
  readonly userId: string;
  readonly sessionId: string;
  /** Maximum number of memories of both kinds together. */
  readonly limit: number;
  readonly withSemantic: boolean;
}

/** Maximum number of facts, the latest. */
const MAX_FACTS = 50;

/** The share of a context that is reserved for memories from outside of the session. */
const OUTSIDE_SHARE = 0.4;
/**
 * Number of latest memories that represent the session's subject. Each is searched separately, because people change
 * the subject.
 */
const LATEST = 3;

/** Reads the context of a conversation: the latest memories of its session, and other memories that fit them best. */
export function createContextReader({ graph, search, reads, facts }: ContextPorts) {
  /** Finds semantic memories: those that fit best or, if the session has no memories yet, the latest. */
  async function findKnowledge(
    userId: string,
    texts: readonly string[],
    limit: number,
    filters: MemoryFilters,
  ): Promise<MemoryNode[]> {
    const scope = { userId, kind: 'semantic' as const, filters, limit };
    if (texts.length === 0) return graph.list({ ...scope, order: 'newest-first' });
    return findFitting(search, { ...scope, texts, threshold: 0 });
  }

  return async function read(query: ContextQuery): Promise<MemoryContext> {
    const { userId, sessionId, limit, withSemantic, asOf, history = false } = query;
    const at = asOf ?? Date.now();
    const known = (await facts.list(userId)).filter(({ certain }) => certain);
    const shown = known.filter((fact) => (history ? fact.validFrom <= at : holdsAt(fact, at)));
    const standingText = createStandingText(history ? [] : known, false, asOf);
    const textOf = (node: MemoryNode): string | undefined => standingText(node.id, contentOf(node));
    const filters = madeBy({}, query);
    const ofSession = { ...filters, sessionId };
    const standing = await listExcept(
      graph,
      { userId, kind: 'episodic', filters: ofSession, order: 'newest-first', limit },
      (node) => textOf(node) === undefined,
    );
    const texts = standing.slice(0, LATEST).map((node) => contentOf(node));
    const outside = Math.floor(limit * OUTSIDE_SHARE);
    const [knowledge, others] = await Promise.all([
      withSemantic ? findKnowledge(userId, texts, outside, filters) : [],
      findFitting(search, {
        userId,
        kind: 'episodic',
        texts,
        filters,
        // An event of another session is included only because it fits; knowledge about a user may help in any case.
        threshold: EPISODIC_THRESHOLD,
        limit: outside,
        except: (node) => node.sessionId === sessionId || textOf(node) === undefined,
      }),
    ]);
    // The session comes first; the remaining places go to knowledge, then to other sessions.
    const ownMemories = standing.slice(
      0,
      Math.max(limit - knowledge.length - others.length, limit - outside),
    );
    const concepts = knowledge.slice(0, limit - ownMemories.length);
    const episodic = [...ownMemories, ...others.slice(0, limit - ownMemories.length - concepts.length)];
    for (const node of [...episodic, ...concepts]) reads.note(node);
    return {
      userId,
      sessionId,
      episodic: episodic.sort(newestFirst).map((node) => ({
        id: node.id,
        content: textOf(node) ?? '',
        timestamp: new Date(node.timestamp).toISOString(),
        importance: node.weight,
      })),
      semantic: concepts.map((node) => ({ id: node.id, ...conceptOf(node), confidence: node.weight })),
      facts: shown.slice(-MAX_FACTS).reverse().map(toHeldFact),
    };
  };
}

type FittingQuery = Omit<HybridQuery, 'text' | 'order'> & { readonly texts: readonly string[] };

/** Finds the memories that fit any of the texts, the best first. */
async function findFitting(search: MemorySearch, { texts, ...query }: FittingQuery): Promise<MemoryNode[]> {
  if (query.limit === 0) return [];
  const rankings = await Promise.all(
    texts.map((text) => search.hybrid({ ...query, text, order: 'relevance' })),
  );
  const foundNodes = new Map<string, { node: MemoryNode; relevance: number }>();
  for (const { node, relevance } of rankings.flat()) {
    if (relevance > (foundNodes.get(node.id)?.relevance ?? -1)) foundNodes.set(node.id, { node, relevance });
  }
  return [...foundNodes.values()]
    .sort((one, other) => other.relevance - one.relevance || newestFirst(one.node, other.node))
    .slice(0, query.limit)
    .map(({ node }) => node);
}

function newestFirst(one: MemoryNode, other: MemoryNode): number {
  return other.timestamp - one.timestamp || (one.id < other.id ? 1 : -1);
}
