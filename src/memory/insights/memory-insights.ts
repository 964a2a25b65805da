import { CONVERSATION_TAG, NOTHING_KNOWN_TAG } from '../../contracts/http/conversations';
import type { MemoryInsights, Topic } from '../../contracts/http/memory-chat';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../stores/memory/node';
import { contentOf, sourceOf } from '../nodes/episodic-node';
import { conceptOf } from '../nodes/semantic-node';
import { conversationStyleOf } from './conversation-style';
import { detailLevelOf } from './detail-level';
import { forEachLatest } from './latest-memories';
import { TopicCounter } from './topic-counter';

export interface InsightsPorts {
  readonly graph: Pick<MemoryGraph, 'list' | 'count'>;
  /** False: there are no semantic memories, by configuration. */
  readonly hasSemantic: boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Of each kind so many of the latest memories are read for topics and preferences. */
export const MAX_READ = 1_000;
/** Of the latest own messages so many tell style and detail. */
const MAX_MESSAGES = 200;
const MAX_TOPICS = 20;
const MAX_PREFERRED = 5;
/** Fewest memories of a topic that is preferred. */
const MIN_OF_PREFERRED = 2;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A name of more characters than this is a sentence. */
const MAX_NAME = 60;
/** Labels that say how a memory was made and not what it is about. */
const UNTOLD_LABELS = new Set([CONVERSATION_TAG, NOTHING_KNOWN_TAG, 'general']);

/** What the memories of a user tell of the user. Counts no reads. */
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

  async function lastConversation(userId: string): Promise<string | null> {
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
        // What the assistant says echoes what it was asked and told.
        if (!isMessageOf('assistant', node)) counter.add(topicSourceOf(node));
      };
      const [totalMemories, memoriesToday, memoriesThisWeek, last] = await Promise.all([
        count(userId),
        count(userId, Math.floor(at / DAY_MS) * DAY_MS),
        count(userId, at - WEEK_MS),
        lastConversation(userId),
        ...kinds.map((kind) => forEachLatest(graph, { userId, kind }, MAX_READ, look)),
      ]);
      const topics = counter.topics(MAX_TOPICS);
      return {
        userId,
        totalMemories,
        topics,
        recentActivity: { lastConversation: last, memoriesToday, memoriesThisWeek },
        preferences: {
          preferredTopics: preferredOf(topics),
          conversationStyle: conversationStyleOf(messages),
          detailLevel: detailLevelOf(messages),
        },
      };
    },
  };
}

/** Those with the most importance in all, which is count times mean. */
function preferredOf(topics: readonly Topic[]): string[] {
  return topics
    .filter(({ count }) => count >= MIN_OF_PREFERRED)
    .sort((one, other) => other.count * other.importance - one.count * one.importance)
    .slice(0, MAX_PREFERRED)
    .map(({ topic }) => topic);
}

function isMessageOf(source: 'user' | 'assistant', node: MemoryNode): boolean {
  return node.kind === 'episodic' && node.labels.includes(CONVERSATION_TAG) && sourceOf(node) === source;
}

function topicSourceOf(node: MemoryNode) {
  const labels = node.labels.filter((label) => !UNTOLD_LABELS.has(label));
  if (node.kind === 'episodic') return { names: labels, text: contentOf(node), weight: node.weight };
  const { concept, description } = conceptOf(node);
  const isName = concept.length <= MAX_NAME;
  const names = isName ? [...labels, concept] : labels;
  return { names, text: isName ? description : `${concept}\n${description}`, weight: node.weight };
}
