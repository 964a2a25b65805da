import type { EpisodicMemory } from '../../contracts/http/memory';
import { type AsOf, madeBy, readSuperseded } from '../facts/as-of';
import type { Facts, SourceMemory } from '../facts/facts';
import type { MemoryChange, MemoryNode } from '../../stores/memory/node';
import type { RedrawLater } from '../upkeep/redraw-later';
import type { MemoryFilters } from '../../stores/memory/search';
import {
  changeEpisodic,
  contentOf,
  toPlacement,
  toEpisodicRelations,
  toEpisodicMemory,
  toEpisodicNode,
  sourceOf,
  timesOf,
} from '../nodes/episodic-node';
import type { EpisodicPatch, EpisodicRelationships, NewEpisodic } from '../nodes/memory-inputs';
import { createNodeAccess, type NodeAccessPorts } from '../nodes/node-access';
import { listExcept } from '../nodes/list-except';
import type { ReadCounter } from '../nodes/read-counter';

export interface EpisodicPorts extends NodeAccessPorts {
  readonly reads: ReadCounter;
  readonly facts: Pick<Facts, 'draw' | 'forget' | 'list' | 'sourceOf'>;
  /** Draws the facts of later memories anew; absent if no rules draw facts. */
  readonly redrawLater?: RedrawLater | undefined;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The id of a memory, and when it is stored (epoch milliseconds). */
export interface MemoryIdentity {
  readonly id: string;
  readonly timestamp: number;
  /** The run whose turn stores it. */
  readonly runId?: string;
}

/** Selects memories of a user; every given condition must hold. Without `asOf` what holds no more is selected too. */
export interface EpisodicQuery extends AsOf {
  readonly userId: string;
  readonly filters: MemoryFilters;
  readonly limit: number;
}

/** Memories of events and of turns of conversation. All methods throw what the graph and the embedder throw. */
export interface EpisodicMemories {
  /**
   * @param identity the identity of the memory, if a repeat must not create a second one
   * @throws HoldfastError `VALIDATION`, `MEMORY_QUOTA`, `MEMORY_ERASING`
   */
  create(memory: NewEpisodic, identity?: MemoryIdentity): Promise<EpisodicMemory>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND` */
  get(id: string): Promise<EpisodicMemory>;
  /**
   * Fields that the patch leaves out stay.
   * @param check called with the memory before the change, which it refuses by throwing
   * @throws HoldfastError `MEMORY_NOT_FOUND`, `VALIDATION`
   */
  update(id: string, patch: EpisodicPatch, check?: (before: EpisodicMemory) => void): Promise<EpisodicMemory>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND` */
  delete(id: string): Promise<void>;
  /** The latest first. */
  list(query: EpisodicQuery): Promise<EpisodicMemory[]>;
}

type DrawOptions = Pick<SourceMemory, 'runId' | 'formerText'>;

export function createEpisodicMemories(ports: EpisodicPorts): EpisodicMemories {
  const { graph, reads, facts, redrawLater, newId, now } = ports;
  const nodes = createNodeAccess('episodic', ports);

  const present = async (node: MemoryNode): Promise<EpisodicMemory> =>
    toEpisodicMemory(node, await graph.related(node.id));

  /**
   * Draws the facts of a memory that is new or changed. Facts are what a user says, and not what an assistant or a machine does, so
   * a memory that is no longer of a user loses those that were drawn from it.
   */
  async function drawOnce(node: MemoryNode, more: DrawOptions): Promise<void> {
    const { id: memoryId, userId, sessionId } = node;
    if (sourceOf(node) === 'user')
      await facts.draw({ userId, memoryId, sessionId, text: contentOf(node), ...timesOf(node), ...more });
    else if (more.formerText !== undefined) await facts.forget(userId, memoryId);
  }

  /**
   * Draws the facts of a memory until they are those of the memory as it is. Somebody else may change or delete it meanwhile, and
   * the facts that are written last need not be those of the latest text. So each writer reads the memory again after its writing.
   */
  async function drawFacts(node: MemoryNode, more: DrawOptions): Promise<void> {
    let [drawn, options] = [node, more];
    for (;;) {
      await drawOnce(drawn, options);
      const now = await graph.get(node.id);
      if (now === undefined) return facts.forget(node.userId, node.id);
      if (contentOf(now) === contentOf(drawn) && sourceOf(now) === sourceOf(drawn)) return;
      [drawn, options] = [now, { ...more, formerText: contentOf(drawn) }];
    }
  }

  return {
    async create(memory, identity = { id: newId(), timestamp: now() }) {
      const node = await nodes.insert({
        node: toEpisodicNode(memory, identity),
        ...toTies(memory.relationships),
        ...toPlaceByTime(memory),
      });
      const { runId } = identity;
      await drawFacts(node, runId === undefined ? {} : { runId });
      // What was said since may end what this event says, and could not before it was known.
      if (
        memory.timestamp !== undefined &&
        ((await facts.sourceOf(node.userId, node.id))?.said.length ?? 0) > 0
      )
        await redrawLater?.(node.userId, node);
      return present(node);
    },
    get: async (id) => present(reads.note(await nodes.find(id))),
    async update(id, patch, check) {
      const ties = toTies(patch.relationships);
      let formerText = '';
      const buildChange = (before: MemoryNode): MemoryChange => {
        check?.(toEpisodicMemory(before, []));
        // What somebody else said before is no text from which facts were drawn.
        formerText = sourceOf(before) === 'user' ? contentOf(before) : '';
        return { ...changeEpisodic(before, patch), ...ties };
      };
      // A memory with the same text keeps its vector.
      const node = await nodes.update(id, buildChange, (before, { text }) => text !== before.text);
      if (patch.content !== undefined || patch.metadata?.source !== undefined)
        await drawFacts(node, { formerText });
      return present(node);
    },
    async delete(id) {
      const { userId } = await nodes.find(id);
      // The facts go first, because a deletion that fails half-way can be repeated only while the memory is there.
      await facts.forget(userId, id);
      await nodes.delete(id);
      // A change that was under way may have drawn facts in between; one that draws them later finds no memory.
      await facts.forget(userId, id);
    },
    async list({ userId, filters, limit, asOf, history = asOf === undefined }) {
      const foundNodes = await listExcept(
        graph,
        { userId, kind: 'episodic', filters: madeBy(filters, { asOf }), order: 'newest-first', limit },
        await readSuperseded(facts, userId, { asOf, history }),
      );
      const related = await graph.relatedOfMany(foundNodes.map(({ id }) => id));
      return foundNodes.map((node) => toEpisodicMemory(reads.note(node), related.get(node.id) ?? []));
    },
  };
}

/** An event of another time than now, which names no neighbour, has its place in its session by its time. */
function toPlaceByTime({ timestamp, relationships = {} }: NewEpisodic): Pick<MemoryChange, 'placement'> {
  const isPlaced = timestamp === undefined || toPlacement(relationships) !== undefined;
  return isPlaced ? {} : { placement: { byTime: true } };
}

/** The place in its session and the relations that a memory shall have, if the caller names them. */
function toTies(relationships: EpisodicRelationships = {}): Pick<MemoryChange, 'placement' | 'relations'> {
  const placement = toPlacement(relationships);
  const relations = toEpisodicRelations(relationships);
  return {
    placement,
    relations,
  };
}
