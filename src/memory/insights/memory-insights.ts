import { setImmediate as nextIteration } from 'node:timers/promises';
import { CONVERSATION_TAG, NOTHING_KNOWN_TAG } from '../../contracts/http/conversations';
import type { MemoryInsights, Topic, DetailLevel, ConversationStyle } from '../../contracts/http/memory-chat';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../stores/memory/node';
import { contentOf, sourceOf } from '../nodes/episodic-node';
import { conceptOf } from '../nodes/semantic-node';
import { TopicCounter } from './topic-counter';
import type { ListPosition, MemoryScope } from '../../stores/memory/search';

/** Number of memories in one read: few, so that no page blocks the event loop for long, and enough for a round trip. */
const PAGE = 500;
/** How long memories are processed without yielding the event loop, milliseconds. */
const SLICE_MS = 8;

/** Minimum number of messages from which a style can be derived. */
const MIN_MESSAGES = 3;
/** Minimum share of the messages that determines a style. */
const STYLE_SHARE = 0.5;
/** Minimum number of words of a statement; a shorter message that is neither question nor request is `talk`. */
const MIN_WORDS_OF_STATEMENT = 5;
const OPENING =
  /^(?:(?:hi|hey|hello|ok|okay|so|well|and|now|then|thanks|thank you|please|just)\b[\s,.!:-]*)+/iu;
const REQUEST_FORM =
  /^(?:(?:can|could|would|will) you|i (?:want|need|would like|'?d like) you to|let'?s|make sure|do not|don'?t|never|always)\b/iu;
const IMPERATIVE =
  /^(?:add|answer|arrange|book|build|calculate|call|cancel|change|check|clear|compare|compute|convert|count|create|delete|describe|divide|draw|explain|fetch|find|fix|forget|generate|get|give|help|keep|list|look|make|multiply|note|open|order|plan|play|prepare|put|read|recommend|remember|remind|remove|repeat|replace|run|save|schedule|search|send|set|show|sort|start|stop|store|subtract|suggest|sum|summari[sz]e|tell|translate|try|turn|update|use|write)\b/iu;
const PLEASE = /\bplease\b/iu;
const QUESTION_WORD =
  /^(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|have|has|had|can|could|should|shall|would|will|may|might)\b/iu;

/** Minimum median of words for `moderate` and for `detailed`. */
const MODERATE_FROM = 8;
const DETAILED_FROM = 25;

export interface InsightsPorts {
  readonly graph: Pick<UserMemories, 'list' | 'count'>;
  /** Whether a store of semantic memories is configured. */
  readonly hasSemantic: boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Maximum number of latest memories of each kind that are read for topics and preferences. */
export const MAX_READ = 1_000;
/** Maximum number of the user's latest messages from which style and detail are derived. */
const MAX_MESSAGES = 200;
const MAX_TOPICS = 20;
const MAX_PREFERRED = 5;
/** Minimum number of memories of a preferred topic. */
const MIN_OF_PREFERRED = 2;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Maximum length of a name, characters; a longer one is a sentence. */
const MAX_NAME = 60;
/** Labels that describe the origin of a memory and not its subject. */
const ORIGIN_LABELS = new Set([CONVERSATION_TAG, NOTHING_KNOWN_TAG, 'general']);

/** Derives insights about a user from the user's memories. It counts no reads. */
export interface InsightsReader {
  /** @throws what the graph throws */
  read(userId: string): Promise<MemoryInsights>;
}

export function createInsightsReader({ graph, hasSemantic, now }: InsightsPorts): InsightsReader {
  const kinds: readonly MemoryKind[] = hasSemantic ? ['episodic', 'semantic'] : ['episodic'];

  async function count(userId: string, from?: number): Promise<number> {
    const filters = from === undefined ? {} : { filters: { from } };
    const counts = await Promise.all(kinds.map((kind) => graph.count({ userId, kind, ...filters })));
    return counts.reduce((sum, each) => sum + each, 0);
  }

  async function readLastConversation(userId: string): Promise<string | null> {
    const [last] = await graph.list({
      userId,
      kind: 'episodic',
      filters: { anyLabel: [CONVERSATION_TAG] },
      order: 'newest-first',
      limit: 1,
    });
    return last === undefined ? null : new Date(last.timestamp).toISOString();
  }

  return {
    async read(userId) {
      const at = now();
      const counter = new TopicCounter();
      const messages: string[] = [];
      const look = (node: MemoryNode): void => {
        if (isMessageOf('user', node) && messages.length < MAX_MESSAGES) messages.push(contentOf(node));
        // The assistant's messages are skipped, because they echo the user's.
        if (!isMessageOf('assistant', node)) counter.add(toTopicSource(node));
      };
      const [totalMemories, memoriesToday, memoriesThisWeek, last] = await Promise.all([
        count(userId),
        count(userId, Math.floor(at / DAY_MS) * DAY_MS),
        count(userId, at - WEEK_MS),
        readLastConversation(userId),
        ...kinds.map((kind) => forEachLatest(graph, { userId, kind }, MAX_READ, look)),
      ]);
      const topics = counter.topics(MAX_TOPICS);
      return {
        userId,
        totalMemories,
        topics,
        recentActivity: { lastConversation: last, memoriesToday, memoriesThisWeek },
        preferences: {
          preferredTopics: pickPreferred(topics),
          conversationStyle: classifyStyle(messages),
          detailLevel: classifyDetail(messages),
        },
      };
    },
  };
}

/** Picks the topics with the largest total importance, which is count times mean. */
function pickPreferred(topics: readonly Topic[]): string[] {
  return topics
    .filter(({ count }) => count >= MIN_OF_PREFERRED)
    .sort((one, other) => other.count * other.importance - one.count * one.importance)
    .slice(0, MAX_PREFERRED)
    .map(({ topic }) => topic);
}

function isMessageOf(source: 'user' | 'assistant', node: MemoryNode): boolean {
  return node.kind === 'episodic' && node.labels.includes(CONVERSATION_TAG) && sourceOf(node) === source;
}

function toTopicSource(node: MemoryNode) {
  const labels = node.labels.filter((label) => !ORIGIN_LABELS.has(label));
  if (node.kind === 'episodic') return { names: labels, text: contentOf(node), weight: node.weight };
  const { concept, description } = conceptOf(node);
  const isName = concept.length <= MAX_NAME;
  const names = isName ? [...labels, concept] : labels;
  return { names, text: isName ? description : `${concept}\n${description}`, weight: node.weight };
}

/**
 * Classifies how much a user mostly writes at once, by the median number of words of the messages: `brief` below 8,
 * `moderate` below 25, else `detailed`; `unknown` with fewer than three messages. Pure.
 */
function classifyDetail(messages: readonly string[]): DetailLevel {
  if (messages.length < MIN_MESSAGES) return 'unknown';
  const lengths = messages.map(countWords).sort((one, other) => one - other);
  const upper = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const lower = lengths[Math.floor((lengths.length - 1) / 2)] ?? 0;
  const median = (upper + lower) / 2;
  if (median < MODERATE_FROM) return 'brief';
  return median < DETAILED_FROM ? 'moderate' : 'detailed';
}

type MessageKind = 'question' | 'request' | 'statement' | 'talk';

/**
 * Classifies how a user mostly talks, by the kind of at least half of the messages: `inquisitive` for questions,
 * `directive` for requests, `informative` for statements of at least five words; in this order if two kinds are half
 * each. `conversational` if no kind is half, `unknown` with fewer than three messages. Made for English. Pure.
 */
export function classifyStyle(messages: readonly string[]): ConversationStyle {
  if (messages.length < MIN_MESSAGES) return 'unknown';
  const kinds = messages.map(classifyMessage);
  const isMostly = (kind: MessageKind): boolean =>
    kinds.filter((each) => each === kind).length >= messages.length * STYLE_SHARE;
  if (isMostly('question')) return 'inquisitive';
  if (isMostly('request')) return 'directive';
  return isMostly('statement') ? 'informative' : 'conversational';
}

/** A request in the form of a question ("can you …?") is a request. */
function classifyMessage(message: string): MessageKind {
  const text = message.trim().replace(/’/gu, "'");
  const statement = text.replace(OPENING, '');
  if (REQUEST_FORM.test(statement) || IMPERATIVE.test(statement) || PLEASE.test(text)) return 'request';
  if (/\?(?:\s|$)/u.test(text) || QUESTION_WORD.test(statement)) return 'question';
  return countWords(text) >= MIN_WORDS_OF_STATEMENT ? 'statement' : 'talk';
}

/** Pure. */
function countWords(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu)?.length ?? 0;
}

/** Calls `look` with up to `max` latest memories of a scope, the latest first, and yields the event loop in between. */
export async function forEachLatest(
  graph: Pick<UserMemories, 'list'>,
  scope: MemoryScope,
  max: number,
  look: (node: MemoryNode) => void,
): Promise<void> {
  let after: ListPosition | undefined;
  for (let left = max; left > 0; left -= PAGE) {
    const limit = Math.min(PAGE, left);
    const page = await graph.list({ ...scope, order: 'newest-first', limit, after });
    let sliceEnd = performance.now() + SLICE_MS;
    for (const node of page) {
      look(node);
      if (performance.now() < sliceEnd) continue;
      await nextIteration();
      sliceEnd = performance.now() + SLICE_MS;
    }
    after = page.at(-1);
    if (page.length < limit) return;
  }
}
