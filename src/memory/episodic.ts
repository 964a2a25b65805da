import type { EpisodicMemory } from '../contracts/memory';
import { HoldfastError } from '../errors';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { MemoryGraph } from '../stores/memory/memory-graph';
import type { MemoryNode, Placement } from '../stores/memory/node';
import type { MemoryFilters } from '../stores/memory/search';
import {
  changeEpisodic,
  placementOf,
  relationsOfEpisodic,
  toEpisodicMemory,
  toEpisodicNode,
} from './episodic-node';
import type { EpisodicPatch, NewEpisodic } from './inputs';
import type { ReadCounter } from './read-counter';
import type { OpenSpaces } from './vector-spaces';

export interface EpisodicPorts {
  readonly graph: MemoryGraph;
  readonly spaces: OpenSpaces;
  readonly reads: ReadCounter;
  /** Most memories of a kind that a user may have; absent: no bound. */
  readonly quota?: number | undefined;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Which memories of a user; every condition given must hold. */
export interface EpisodicQuery {
  readonly userId: string;
  readonly filters: MemoryFilters;
  readonly limit: number;
}

/** Memories of events and of turns of conversation. All methods throw what the graph and the embedder throw. */
export interface EpisodicMemories {
  /**
   * @param id of the memory where a repeat must not make a second one
   * @throws HoldfastError `VALIDATION`, `MEMORY_QUOTA`, `MEMORY_ERASING`
   */
  create(memory: NewEpisodic, id?: string): Promise<EpisodicMemory>;
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
  const { graph, spaces, reads, quota, newId, now } = ports;

  async function present(nodes: readonly MemoryNode[]): Promise<EpisodicMemory[]> {
    const related = await graph.relatedOfMany(nodes.map(({ id }) => id));
    return nodes.map((node) => toEpisodicMemory(node, related.get(node.id) ?? []));
  }

  async function find(id: string): Promise<MemoryNode> {
    const node = await graph.get(id);
    if (node?.kind !== 'episodic') throw memoryNotFound(id);
    return node;
  }

  return {
    async create(memory, id = newId()) {
      const node = toEpisodicNode(memory, { id, timestamp: now() });
      const relationships = memory.relationships ?? {};
      const placement = placementOf(relationships);
      const relations = relationsOfEpisodic(relationships);
      const stored = await spaces.use(async ({ space, embedder }) => {
        const [values] = await embedder.embed([node.text]);
        return graph.insert(
          {
            node,
            vector: values === undefined ? null : { spaceId: space.id, values },
            ...(placement === undefined ? {} : { placement }),
            ...(relations === undefined ? {} : { relations }),
          },
          quota === undefined ? {} : { quota },
        );
      });
      return toEpisodicMemory(stored, await graph.related(stored.id));
    },
    async get(id) {
      const node = await find(id);
      return toEpisodicMemory(reads.note(node), await graph.related(id));
    },
    update: (id, patch) =>
      untilNoConflict(`the memory ${id}`, async () => {
        const before = await find(id);
        const change = changeEpisodic(before, patch);
        const relationships = patch.relationships ?? {};
        const placement: Placement | undefined = placementOf(relationships);
        const relations = relationsOfEpisodic(relationships);
        const updated = await spaces.use(async ({ space, embedder }) => {
          // The same text has the same vector.
          const [values] = change.text === before.text ? [] : await embedder.embed([change.text ?? '']);
          return graph.update(
            id,
            {
              ...change,
              ...(values === undefined ? {} : { vector: { spaceId: space.id, values } }),
              ...(placement === undefined ? {} : { placement }),
              ...(relations === undefined ? {} : { relations }),
            },
            { ifRevision: before.revision },
          );
        });
        return updated === undefined ? CONFLICT : toEpisodicMemory(updated, await graph.related(id));
      }),
    async delete(id) {
      await find(id);
      if ((await graph.delete(id)) === undefined) throw memoryNotFound(id);
    },
    async list({ userId, filters, limit }) {
      const nodes = await graph.list({ userId, kind: 'episodic', filters, order: 'newest-first', limit });
      return present(nodes.map((node) => reads.note(node)));
    },
  };
}

export function memoryNotFound(id: string): HoldfastError {
  return new HoldfastError('MEMORY_NOT_FOUND', `There is no memory "${id}"`);
}
