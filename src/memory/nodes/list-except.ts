import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import type { ListQuery } from '../../stores/memory/search';

/** A page has at least this number of memories, so that many that are left out take few reads. */
const MIN_PAGE = 100;

/** Lists memories without those that are left out, up to the limit of the query, in its order. */
export async function listExcept(
  graph: Pick<UserMemories, 'list'>,
  query: Omit<ListQuery, 'after' | 'offset'>,
  except: (node: MemoryNode) => boolean,
): Promise<MemoryNode[]> {
  const kept: MemoryNode[] = [];
  for (let after: ListQuery['after']; ;) {
    // The first page is as large as the answer, because most users have nothing that is left out.
    const limit = after === undefined ? query.limit : Math.max(query.limit, MIN_PAGE);
    const page = await graph.list({ ...query, limit, ...(after === undefined ? {} : { after }) });
    kept.push(...page.filter((node) => !except(node)));
    after = page.at(-1);
    if (kept.length >= query.limit || page.length < limit || after === undefined)
      return kept.slice(0, query.limit);
  }
}
