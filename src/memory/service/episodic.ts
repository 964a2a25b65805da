import type { EpisodicMemory } from '../../contracts/http/memory';
import type { MemoryChange, MemoryNode } from '../../stores/memory/node';
import type { MemoryFilters } from '../../stores/memory/search';
import {
  changeEpisodic,
  toPlacement,
  toEpisodicRelations,
  toEpisodicMemory,
  toEpisodicNode,
} from '../nodes/episodic-node';
import type { EpisodicPatch, EpisodicRelationships, NewEpisodic } from '../nodes/memory-inputs';
import type { NodeAccessPorts } from '../nodes/node-access';
import { createNodeAccess } from '../nodes/node-access';
import type { ReadCounter } from '../nodes/read-counter';

export interface EpisodicPorts extends NodeAccessPorts {
  readonly reads: ReadCounter;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The id of a memory and the time of its creation (epoch milliseconds). */
export interface MemoryIdentity {
  readonly id: string;
  readonly timestamp: number;
}

/** Selects memories of a user; every given condition must hold. */
export interface EpisodicQuery {
  readonly userId: string;
  readonly filters: MemoryFilters;
  readonly limit: number;
}

/** Memories of events and of turns of conversation. All methods throw what the graph and the embedder throw. */
export interface EpisodicMemories {
  /**
   * @param identity the identity of the memory, where a repeat must not create a second one
   * @throws HoldfastError `VALIDATION`, `MEMORY_QUOTA`, `MEMORY_ERASING`
   */
  create(memory: NewEpisodic, identity?: MemoryIdentity): Promise<EpisodicMemory>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND` */
  get(id: string): Promise<EpisodicMemory>;
  /** Fields that the patch leaves out stay. @throws HoldfastError `MEMORY_NOT_FOUND`, `VALIDATION` */
  update(id: string, patch: EpisodicPatch): Promise<EpisodicMemory>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND` */
  delete(id: string): Promise<void>;
  /** The latest first. */
  list(query: EpisodicQuery): Promise<EpisodicMemory[]>;
}

export function createEpisodicMemories(ports: EpisodicPorts): EpisodicMemories {
  const { graph, reads, newId, now } = ports;
  const nodes = createNodeAccess('episodic', ports);

  const present = async (node: MemoryNode): Promise<EpisodicMemory> =>
    toEpisodicMemory(node, await graph.related(node.id));

  return {
    async create(memory, identity = { id: newId(), timestamp: now() }) {
      const node = toEpisodicNode(memory, identity);
      return present(await nodes.insert({ node, ...toTies(memory.relationships) }));
    },
    get: async (id) => present(reads.note(await nodes.find(id))),
    async update(id, patch) {
      const ties = toTies(patch.relationships);
      const buildChange = (before: MemoryNode): MemoryChange => ({
        ...changeEpisodic(before, patch),
        ...ties,
      });
      // A memory with the same text keeps its vector.
      return present(await nodes.update(id, buildChange, (before, { text }) => text !== before.text));
    },
    delete: (id) => nodes.delete(id),
    async list({ userId, filters, limit }) {
      const found = await graph.list({ userId, kind: 'episodic', filters, order: 'newest-first', limit });
      const related = await graph.relatedOfMany(found.map(({ id }) => id));
      return found.map((node) => toEpisodicMemory(reads.note(node), related.get(node.id) ?? []));
    },
  };
}

/** The place in its session and the relations that a memory shall have, where the caller names them. */
function toTies(relationships: EpisodicRelationships = {}): Pick<MemoryChange, 'placement' | 'relations'> {
  const placement = toPlacement(relationships);
  const relations = toEpisodicRelations(relationships);
  return {
    placement,
    relations,
  };
}
