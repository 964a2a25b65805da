import type { SemanticMemory } from '../contracts/memory';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { MemoryNode } from '../stores/memory/node';
import type { EpisodicPorts } from './episodic';
import { memoryNotFound } from './episodic';
import type { NewSemantic, SemanticPatch } from './inputs';
import type { MemorySearch } from './search';
import { changeSemantic, relationsOfSemantic, toSemanticMemory, toSemanticNode } from './semantic-node';

export interface SemanticPorts extends EpisodicPorts {
  readonly search: MemorySearch;
}

export interface SemanticQuery {
  readonly userId: string;
  readonly query: string;
  readonly categories?: readonly string[] | undefined;
  readonly limit: number;
  /** Least similarity, 0 to 1. */
  readonly threshold: number;
}

/** A memory as a search finds it. */
export type FoundSemantic = SemanticMemory & { readonly similarityScore: number };

/** Memories of concepts and facts. All methods throw what graph, index and embedder throw. */
export interface SemanticMemories {
  /**
   * @param id of the memory where a repeat must not make a second one
   * @throws HoldfastError `VALIDATION`, `MEMORY_QUOTA`, `MEMORY_ERASING`
   */
  create(memory: NewSemantic, id?: string): Promise<SemanticMemory>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND` */
  get(id: string): Promise<SemanticMemory>;
  /** Fields that the patch leaves out stay. @throws HoldfastError `MEMORY_NOT_FOUND`, `VALIDATION` */
  update(id: string, patch: SemanticPatch): Promise<SemanticMemory>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND` */
  delete(id: string): Promise<void>;
  /** The most similar first. */
  search(query: SemanticQuery): Promise<FoundSemantic[]>;
}

export function createSemanticMemories(ports: SemanticPorts): SemanticMemories {
  const { graph, spaces, reads, search, quota, newId, now } = ports;

  async function find(id: string): Promise<MemoryNode> {
    const node = await graph.get(id);
    if (node?.kind !== 'semantic') throw memoryNotFound(id);
    return node;
  }

  return {
    async create(memory, id = newId()) {
      const node = toSemanticNode(memory, { id, timestamp: now() });
      const relations = relationsOfSemantic(memory.relationships ?? {});
      const stored = await spaces.use(async ({ space, embedder }) => {
        const [values] = await embedder.embed([node.text]);
        return graph.insert(
          {
            node,
            vector: values === undefined ? null : { spaceId: space.id, values },
            ...(relations === undefined ? {} : { relations }),
          },
          quota === undefined ? {} : { quota },
        );
      });
      return toSemanticMemory(stored, await graph.related(stored.id));
    },
    async get(id) {
      const node = await find(id);
      return toSemanticMemory(reads.note(node), await graph.related(id));
    },
    async update(id, patch) {
      const { accessCount, lastAccessed } = patch.metadata ?? {};
      // Reads from before must not be counted on top of what is set now.
      if (accessCount !== undefined || lastAccessed !== undefined) await reads.flush();
      return untilNoConflict(`the memory ${id}`, async () => {
        const before = await find(id);
        const change = changeSemantic(before, patch);
        const current = patch.relationships === undefined ? [] : await graph.related(id);
        const relations = relationsOfSemantic(patch.relationships ?? {}, current);
        const updated = await spaces.use(async ({ space, embedder }) => {
          // Also where the text stays: an index of vectors has the fields beside them that filters ask for.
          const [values] = await embedder.embed([change.text ?? before.text]);
          return graph.update(
            id,
            {
              ...change,
              ...(values === undefined ? {} : { vector: { spaceId: space.id, values } }),
              ...(relations === undefined ? {} : { relations }),
            },
            { ifRevision: before.revision },
          );
        });
        return updated === undefined ? CONFLICT : toSemanticMemory(updated, await graph.related(id));
      });
    },
    async delete(id) {
      await find(id);
      if ((await graph.delete(id)) === undefined) throw memoryNotFound(id);
    },
    async search({ userId, query, categories, limit, threshold }) {
      const filters = categories === undefined ? {} : { filters: { anyLabel: categories } };
      const found = await search.hybrid({
        userId,
        kind: 'semantic',
        text: query,
        limit,
        threshold,
        order: 'relevance',
        ...filters,
      });
      const nodes = found.map(({ node, relevance }) => ({ node: reads.note(node), relevance }));
      const related = await graph.relatedOfMany(nodes.map(({ node }) => node.id));
      return nodes.map(({ node, relevance }) => ({
        ...toSemanticMemory(node, related.get(node.id) ?? []),
        similarityScore: relevance,
      }));
    },
  };
}
