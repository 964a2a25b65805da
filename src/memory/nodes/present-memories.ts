import type { EpisodicMemory, SemanticMemory } from '../../contracts/http/memory';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../stores/memory/node';
import { toEpisodicMemory } from './episodic-node';
import { toSemanticMemory } from './semantic-node';

interface Presented {
  readonly episodic: EpisodicMemory;
  readonly semantic: SemanticMemory;
}

/** Converts memories of one kind to the form that callers see, with their relations. It counts no reads. */
export async function presentMemories<Kind extends MemoryKind>(
  graph: Pick<UserMemories, 'relatedOfMany'>,
  kind: Kind,
  nodes: readonly MemoryNode[],
): Promise<Presented[Kind][]> {
  const related = await graph.relatedOfMany(nodes.map(({ id }) => id));
  const toMemory = kind === 'episodic' ? toEpisodicMemory : toSemanticMemory;
  return nodes.map((node) => toMemory(node, related.get(node.id) ?? []) as Presented[Kind]);
}
