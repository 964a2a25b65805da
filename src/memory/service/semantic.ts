import type { SemanticMemory } from '../../contracts/http/memory';
import type { MemoryChange, MemoryNode } from '../../stores/memory/node';
import { type AsOf, madeBy } from '../facts/as-of';
import type { EpisodicPorts } from './episodic';
import type { NewSemantic, SemanticPatch } from '../nodes/memory-inputs';
import { createNodeAccess } from '../nodes/node-access';
import type { MemorySearch } from '../search/search';
import {
  changeSemantic,
  buildSemanticRelations,
  toSemanticMemory,
  toSemanticNode,
} from '../nodes/semantic-node';

export interface SemanticPorts extends EpisodicPorts {
  readonly search: MemorySearch;
}

/** Concepts say no facts, so all that were made by the time are searched. */
export interface SemanticQuery extends Pick<AsOf, 'asOf'> {
  readonly userId: string;
  readonly query: string;
  readonly categories?: readonly string[] | undefined;
  readonly limit: number;
  /** Minimum similarity, 0 to 1. */
  readonly threshold: number;
}

/** A memory that a search found. */
export type FoundSemantic = SemanticMemory & { readonly similarityScore: number };

/** Memories of concepts and facts. All methods throw what graph, index and embedder throw. */
export interface SemanticMemories {
  /**
   * @param id the id of the memory, if a repeat must not create a second one
   * @throws HoldfastError `VALIDATION`, `MEMORY_QUOTA`, `MEMORY_ERASING`
   */
  create(memory: NewSemantic, id?: string): Promise<SemanticMemory>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND` */
  get(id: string): Promise<SemanticMemory>;
  /**
   * Fields that the patch leaves out stay.
   * @param check called with the memory before the change, which it refuses by throwing
   * @throws HoldfastError `MEMORY_NOT_FOUND`, `VALIDATION`
   */
  update(id: string, patch: SemanticPatch, check?: (before: SemanticMemory) => void): Promise<SemanticMemory>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND` */
  delete(id: string): Promise<void>;
  /** The most similar first. */
  search(query: SemanticQuery): Promise<FoundSemantic[]>;
}

export function createSemanticMemories(ports: SemanticPorts): SemanticMemories {
  const { graph, reads, search, newId, now } = ports;
  const nodes = createNodeAccess('semantic', ports);

  const present = async (node: MemoryNode): Promise<SemanticMemory> =>
    toSemanticMemory(node, await graph.related(node.id));

  return {
    async create(memory, id = newId()) {
      const node = toSemanticNode(memory, { id, timestamp: now() });
      const { relations } = buildSemanticRelations(memory.relationships);
      return present(await nodes.insert({ node, relations }));
    },
    get: async (id) => present(reads.note(await nodes.find(id))),
    async update(id, patch, check) {
      const { accessCount, lastAccessed } = patch.metadata ?? {};
      // Earlier reads must not be counted on top of the counts that the caller sets now.
      if (accessCount !== undefined || lastAccessed !== undefined) await reads.flush();
      // Kinds of relation that are not sent stay as the store has them, even if another memory changes them meanwhile.
      const ties = buildSemanticRelations(patch.relationships);
      const buildChange = (before: MemoryNode): MemoryChange => {
        check?.(toSemanticMemory(before, []));
        return { ...changeSemantic(before, patch), ...ties };
      };
      // The memory is embedded even if its text stays, because an index keeps fields for filters beside the vector.
      return present(await nodes.update(id, buildChange, () => true));
    },
    delete: (id) => nodes.delete(id),
    async search({ userId, query, categories, limit, threshold, asOf }) {
      const labels = categories === undefined ? {} : { anyLabel: categories };
      const foundNodes = await search.hybrid({
        userId,
        kind: 'semantic',
        text: query,
        limit,
        threshold,
        order: 'relevance',
        filters: madeBy(labels, { asOf }),
      });
      const related = await graph.relatedOfMany(foundNodes.map(({ node }) => node.id));
      return foundNodes.map(({ node, relevance }) => ({
        ...toSemanticMemory(reads.note(node), related.get(node.id) ?? []),
        similarityScore: relevance,
      }));
    },
  };
}
