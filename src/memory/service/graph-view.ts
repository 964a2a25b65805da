import { type Fact, toShownSources } from '../../contracts/facts';
import { shorten } from '../../contracts/json';
import type { MemoryGraphView } from '../../contracts/http/memory';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode, RelatedMemory } from '../../stores/memory/node';
import type { Facts } from '../facts/facts';

export interface GraphViewPorts {
  readonly graph: Pick<UserMemories, 'list' | 'relatedOfMany'>;
  readonly facts: Pick<Facts, 'list'>;
}

/** Reads what a picture of a user's memory needs: memories, facts and people, and how they are connected. */
export interface GraphViewReader {
  /** @param limit maximum number of memories of each kind, and of facts; the latest are read */
  (userId: string, limit: number): Promise<MemoryGraphView>;
}

type Edge = MemoryGraphView['edges'][number];

const MAX_LABEL = 120;
export function createGraphViewReader({ graph, facts }: GraphViewPorts): GraphViewReader {
  const latest = (userId: string, kind: MemoryKind, limit: number): Promise<MemoryNode[]> =>
    // One more than asked for shows whether there are others.
    graph.list({ userId, kind, order: 'newest-first', limit: limit + 1 });

  return async (userId, limit) => {
    const [episodic, semantic, all] = await Promise.all([
      latest(userId, 'episodic', limit),
      latest(userId, 'semantic', limit),
      facts.list(userId),
    ]);
    const memories = [...episodic.slice(0, limit), ...semantic.slice(0, limit)];
    const shown = all.slice(-limit);
    const related = await graph.relatedOfMany(memories.map(({ id }) => id));
    const nodes: MemoryGraphView['nodes'] = [
      ...memories.map(({ id, kind, text, timestamp }) => ({
        id,
        kind,
        label: shorten(text, MAX_LABEL),
        since: toDate(timestamp),
      })),
      ...shown.map(toNode),
      ...[...new Set(shown.map(({ subject }) => subject))].map((subject) => ({
        id: subjectId(subject),
        kind: 'subject' as const,
        label: subject,
      })),
    ];
    const ids = new Set(nodes.map(({ id }) => id));
    const edges = [
      ...memories.flatMap(({ id }) => relationEdges(id, related.get(id) ?? [])),
      ...shown.flatMap(factEdges),
    ].filter(({ from, to }) => ids.has(from) && ids.has(to));
    const truncated = episodic.length > limit || semantic.length > limit || all.length > limit;
    return { nodes, edges, truncated };
  };
}

function toNode({ id, attribute, value, validFrom, validTo }: Fact): MemoryGraphView['nodes'][number] {
  const until = validTo === undefined ? {} : { until: toDate(validTo) };
  const label = shorten(`${attribute}: ${value}`, MAX_LABEL);
  return { id, kind: 'fact', label, since: toDate(validFrom), ...until };
}

/** A relationship without a direction is listed with both memories, and drawn once. */
function relationEdges(id: string, related: readonly RelatedMemory[]): Edge[] {
  return related.flatMap(({ relationship: type, id: other }): Edge[] => {
    // These are drawn from their other ends.
    if (type === 'previous' || type === 'child') return [];
    const isDirected = type === 'next' || type === 'parent';
    return isDirected || id < other ? [{ from: id, to: other, type }] : [];
  });
}

function factEdges({ id, subject, supersededBy, sources }: Fact): Edge[] {
  return [
    ...toShownSources(sources).map(({ memoryId }) => ({ from: memoryId, to: id, type: 'says' as const })),
    { from: id, to: subjectId(subject), type: 'of' },
    ...(supersededBy === undefined ? [] : [{ from: id, to: supersededBy, type: 'superseded by' as const }]),
  ];
}

function subjectId(subject: string): string {
  return `subject:${subject}`;
}

function toDate(time: number): string {
  return new Date(time).toISOString();
}
