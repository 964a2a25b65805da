import type { RecallQuery } from '../../contracts/runs/turns';
import {
  CONVERSATION_TAG,
  type Degradation,
  type Recalled,
  type RecalledEpisodic,
  type RecalledSemantic,
  NOTHING_KNOWN_TAG,
} from '../../contracts/http/conversations';
import { type HoldfastError, isHoldfastError } from '../../base/errors';
import { stopwatch } from '../../base/stopwatch';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../stores/memory/node';
import { madeBy } from '../facts/as-of';
import { toEpisodicMemory, contentOf, sourceOf, toRecentMessage } from '../nodes/episodic-node';
import type { ReadCounter } from '../nodes/read-counter';
import { wordsOf } from '../../base/text/stem';
import { isTopical } from '../../embeddings/lexical/everyday-words';
import type { FoundNode } from './ranking';
import type { MemorySearch } from './search';
import { toSemanticMemory } from '../nodes/semantic-node';
import type { OpenSpaces } from '../vectors/vector-spaces';
import { searchWords, type WordQuery } from './word-search';
import { isNearDuplicate, toComparedText } from '../../base/text/near-duplicate';

const ASKING =
  /^\s*(?:(?:and|but|so|please|hi|hello|hey)[ ,]+)*(?:what|which|who|whom|whose|where|when|how|why|do|does|did|can|could|would|will|is|are|am|was|were|have|has|tell|remind)\b/i;
/**
 * How the service begins an answer that only repeats what the user said or stored. Earlier builds also wrote `You said`,
 * `I said`, `I have kept` and `I have this on it`, and refused with the last three sentences.
 */
const REPEATS =
  /^(?:(?:Yes|No)\. )?(?:(?:You told me|You said|I said|I have kept)(?: on \d{4}-\d\d-\d\d)?: |Noted: |From what I know about .{1,200}?: |I have this on it: |You told me (?:of a change, and I am not sure|that of others, and not of yourself)|That is no longer so, and I know of nothing)/;

export interface RecallPorts {
  readonly graph: UserMemories;
  readonly search: MemorySearch;
  readonly spaces: OpenSpaces;
  readonly reads: ReadCounter;
  /** Whether there is a store of semantic memories. */
  readonly hasSemantic: boolean;
  /** Minimum relevance of each kind of memory, if the query names none; 0 to 1. */
  readonly thresholds: Readonly<Record<MemoryKind, number>>;
}

/** Recalls memories for a turn of a conversation. */
export interface MemoryRecall {
  /**
   * Finds the memories that fit the text or one of the terms, the best first, without messages that only repeat the
   * text, and without answers that only repeat a memory or say that nothing is known. `degraded` reports what could not be searched. After an abort by `signal` it
   * begins no further search and rejects with the signal's reason.
   * @throws HoldfastError `STORE_UNAVAILABLE` if the graph of memories cannot be reached
   */
  recall(query: RecallQuery, signal?: AbortSignal): Promise<Recalled>;
}

interface Attempt {
  /** The list to which each failed search is added. */
  readonly notes: Degradation[];
  readonly signal: AbortSignal | undefined;
}

const WORDS_WEIGHT = 0.95;
/** A memory has to have nearly all of the topic of a message. */
const TOPIC_THRESHOLD = 0.7;
/** What is to be done with it is no part of the topic. */
const ORDERS = new Set(
  'multiply divide subtract calculate compute sum total average percent convert double triple halve square'.split(
    ' ',
  ),
);
const NO_SEMANTIC: Degradation = {
  service: 'vectordb',
  reason: 'no store of semantic memories is configured: VECTOR_STORE=none',
  consequence: 'only episodic memories were searched',
};

export function createMemoryRecall(ports: RecallPorts): MemoryRecall {
  const { graph, search, spaces, reads, hasSemantic, thresholds } = ports;

  /** Searches by meaning and words, or by words alone if a search by meaning is not possible now. */
  async function findFitting(
    query: RecallQuery,
    scope: Omit<WordQuery, 'texts' | 'weight'>,
    threshold: number,
    { notes, signal }: Attempt,
  ): Promise<FoundNode[]> {
    const texts = [query.text, ...query.terms];
    const bounded = signal === undefined ? scope : { ...scope, signal };
    try {
      const searches = texts.map((text) =>
        search.hybrid({ ...bounded, text, threshold, order: 'relevance' }),
      );
      return (await Promise.all(searches)).flat();
    } catch (error) {
      signal?.throwIfAborted();
      notes.push(toDegradation(error, `${scope.kind} memories were searched by words alone`));
      return searchWords(graph, { ...scope, texts, weight: WORDS_WEIGHT });
    }
  }

  async function recallKind(query: RecallQuery, kind: MemoryKind, attempt: Attempt): Promise<FoundNode[]> {
    const { userId, sessionId, text, limit, crossSession } = query;
    const threshold = query.threshold ?? thresholds[kind];
    const filters = madeBy(kind === 'episodic' && !crossSession ? { sessionId } : {}, query);
    const scope = { userId, kind, limit, filters, except: createRepeatFilter(text) };
    const foundNodes = await findFitting(query, scope, threshold, attempt);
    const fitting = keepBestOfEach(foundNodes.filter(({ relevance }) => relevance >= threshold)).slice(
      0,
      limit,
    );
    return fitting.length > 0 ? fitting : findByTopic(text, scope);
  }

  /** An order has many words around what it is about: if nothing fits all of it, its topic is searched. */
  async function findByTopic(text: string, scope: Omit<WordQuery, 'texts' | 'weight'>): Promise<FoundNode[]> {
    const topic = wordsOf(text)
      .filter((word) => isTopical(word) && !ORDERS.has(word))
      .join(' ');
    if (topic === '' || scope.kind !== 'episodic') return [];
    const foundNodes = await searchWords(graph, { ...scope, texts: [topic], weight: WORDS_WEIGHT });
    return foundNodes.filter(({ relevance }) => relevance >= TOPIC_THRESHOLD);
  }

  /**
   * Embeds memories again for the caller; empty if no embedder is available, as memories are returned without
   * vectors.
   */
  async function embedNodes(
    nodes: readonly MemoryNode[],
    { notes, signal }: Attempt,
  ): Promise<ReadonlyMap<string, number[]>> {
    if (nodes.length === 0) return new Map();
    try {
      // The model makes the same vector for the same text as when the memory was stored.
      const vectors = await spaces.use(({ embedder }) =>
        embedder.embed(
          nodes.map(({ text }) => text),
          signal,
        ),
      );
      return new Map(nodes.map(({ id }, index) => [id, [...(vectors[index] ?? [])]]));
    } catch (error) {
      signal?.throwIfAborted();
      notes.push(toDegradation(error, 'vectors were left out'));
      return new Map();
    }
  }

  async function readRecent(query: RecallQuery): Promise<Recalled['recent']> {
    const { userId, sessionId, recent: limit } = query;
    const filters = madeBy({ sessionId, anyLabel: [CONVERSATION_TAG] }, query);
    const scope = { userId, kind: 'episodic', filters, order: 'newest-first', limit } as const;
    return limit === 0 ? [] : (await graph.list(scope)).reverse().map(toRecentMessage);
  }

  return {
    async recall(query, signal) {
      const elapsed = stopwatch();
      const degraded: Degradation[] = hasSemantic ? [] : [NO_SEMANTIC];
      const attempt: Attempt = { notes: degraded, signal };
      const [events, knowledge, messages] = await Promise.all([
        recallKind(query, 'episodic', attempt),
        hasSemantic ? recallKind(query, 'semantic', attempt) : [],
        readRecent(query),
      ]);
      signal?.throwIfAborted();
      const best = keepBestOfEach([...events, ...knowledge]).slice(0, query.limit);
      const keptNodes = best.map(({ node, relevance }) => ({ node: reads.note(node), relevance }));
      const related = await graph.relatedOfMany(keptNodes.map(({ node }) => node.id));
      const semantic = keptNodes.filter(({ node }) => node.kind === 'semantic');
      const embeddings = query.withVectors
        ? await embedNodes(
            semantic.map(({ node }) => node),
            attempt,
          )
        : undefined;
      return {
        episodic: keptNodes
          .filter(({ node }) => node.kind === 'episodic')
          .map(({ node, relevance }): RecalledEpisodic => ({
            ...toEpisodicMemory(node, related.get(node.id) ?? []),
            relevanceScore: relevance,
          })),
        semantic: semantic.map(({ node, relevance }): RecalledSemantic => ({
          ...toSemanticMemory(node, related.get(node.id) ?? []),
          similarityScore: relevance,
          embedding: embeddings?.get(node.id),
        })),
        recent: messages,
        degraded,
        time: elapsed(),
      };
    },
  };
}

/** Converts a failure of the search by meaning, which a recall tolerates, to a degradation. @throws any other error */
function toDegradation(error: unknown, consequence: string): Degradation {
  if (!isHoldfastError(error)) throw error;
  const service = error.details?.['service'];
  const isGraph = error.code === 'STORE_UNAVAILABLE' && service !== 'vectordb';
  if (isGraph || !WITHOUT_MEANING.has(error.code)) throw error;
  return {
    service: service === 'vectordb' ? 'vectordb' : 'embedder',
    reason: error.message,
    consequence,
  };
}

const WITHOUT_MEANING = new Set<HoldfastError['code']>([
  'STORE_UNAVAILABLE',
  'EMBEDDER_UNAVAILABLE',
  'EMBEDDING_MODEL_CHANGED',
  'VECTOR_SPACE_CHANGED',
]);

/** Returns each memory once, with its best relevance; the best first, and the later one of equals. */
function keepBestOfEach(foundNodes: readonly FoundNode[]): FoundNode[] {
  const best = new Map<string, FoundNode>();
  for (const each of foundNodes) {
    if (each.relevance > (best.get(each.node.id)?.relevance ?? -1)) best.set(each.node.id, each);
  }
  return [...best.values()].sort(
    (one, other) =>
      other.relevance - one.relevance ||
      other.node.timestamp - one.node.timestamp ||
      (one.node.id < other.node.id ? 1 : -1),
  );
}

/**
 * Creates a filter that is true for messages that do not help a recall: answers that nothing is known or that only repeat a memory,
 * and the query itself if it was asked before. They are nearer to the query than any fact, and would take the places of facts;
 * what an answer repeats may hold no more. Pure.
 */
export function createRepeatFilter(query: string): (node: MemoryNode) => boolean {
  const askedText = toComparedText(query);
  const words = wordsOf(query).join(' ');
  return (node) => {
    if (node.kind !== 'episodic') return false;
    const content = contentOf(node);
    const isAnswer = sourceOf(node) === 'assistant';
    if (isAnswer && REPEATS.test(content)) return true;
    if (!node.labels.includes(CONVERSATION_TAG)) return false;
    if (node.labels.includes(NOTHING_KNOWN_TAG)) return true;
    if (isAnswer) return false;
    if (wordsOf(content).join(' ') === words) return true;
    // A statement is kept: "I do like tea" has the words of "Do I like tea?", and answers it.
    return (
      (ASKING.test(content) || content.trimEnd().endsWith('?')) &&
      isNearDuplicate(askedText, toComparedText(content))
    );
  };
}
