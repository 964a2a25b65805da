import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode, MemoryKind } from '../../stores/memory/node';
import type { ListQuery } from '../../stores/memory/search';
import type { EpisodicMemory, SemanticMemory } from '../../contracts/http/memory';
import { toEpisodicMemory } from './episodic-node';
import { toSemanticMemory } from './semantic-node';

/** A page has at least this number of memories, so that many that are left out take few reads. */
const MIN_PAGE = 100;

/** Lists memories without those that are left out, up to the limit of the query, in its order. */
export async function listExcept(
  graph: Pick<UserMemories, 'list'>,
  query: Omit<ListQuery, 'after' | 'offset'>,
  except: (node: MemoryNode) => boolean,
): Promise<MemoryNode[]> {
  const keptNodes: MemoryNode[] = [];
  for (let after: ListQuery['after']; ;) {
    // The first page is as large as the answer, because most users have nothing that is left out.
    const limit = after === undefined ? query.limit : Math.max(query.limit, MIN_PAGE);
    const page = await graph.list({ ...query, limit, after });
    keptNodes.push(...page.filter((node) => !except(node)));
    after = page.at(-1);
    if (keptNodes.length >= query.limit || page.length < limit || after === undefined)
      return keptNodes.slice(0, query.limit);
  }
}

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
