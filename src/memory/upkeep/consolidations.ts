import { HoldfastError, isHoldfastError } from '../../base/errors';
import type {
  ArchiveInput,
  ConsolidationName,
  PlannedArchiving,
  SummariesInput,
  UndoStep,
} from '../../contracts/runs/consolidation';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import type { Facts } from '../facts/facts';
import { createNodeAccess } from '../nodes/node-access';
import { type MemoryArchive, type StoredConsolidation, UNDOABLE_MS } from './archive';
import { createConsolidationPlanner, type ConsolidationPlanner, type PlannerPorts } from './plan';
import { toSummaryNode } from './plan-summaries';
import { hasRelations } from './relations';
import { createMemoryRestorer } from './restore';

export interface ConsolidationsPorts extends PlannerPorts {
  readonly graph: UserMemories;
  readonly facts: Facts;
  readonly archive: MemoryArchive;
  /** Maximum number of memories of each kind that a user may have; absent: no limit. */
  readonly quota?: number | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Consolidates the memories of users, in steps that may each be repeated. Archived memories are deleted; their copies and what they
 * say as facts stay. All methods throw `STORE_UNAVAILABLE` (retryable), and those that change something `MEMORY_ERASING`.
 */
export interface Consolidations {
  readonly plan: ConsolidationPlanner;
  /** Archives memories that are as they were when they were compared. @returns how many are archived now */
  archive(input: ArchiveInput, signal?: AbortSignal): Promise<number>;
  /** Stores the summaries of sessions. */
  summarise(input: SummariesInput): Promise<void>;
  /** Ends a consolidation. */
  finish(name: ConsolidationName, archived: number): Promise<StoredConsolidation>;
  /** Lists the consolidations of a user in the last thirty days, the latest first. */
  list(userId: string): Promise<StoredConsolidation[]>;
  /** @throws HoldfastError `CONSOLIDATION_NOT_FOUND`, `CONSOLIDATION_UNDONE`, `CONSOLIDATION_EXPIRED` */
  checkUndoable(name: ConsolidationName): Promise<void>;
  /** Restores a bounded number of memories; the last step also removes the summaries. */
  undo(name: ConsolidationName, signal?: AbortSignal): Promise<UndoStep>;
}

/** Number of memories that one step restores. */
const UNDO_PAGE = 50;

export function createConsolidations(ports: ConsolidationsPorts): Consolidations {
  const { graph, facts, archive, spaces, quota, now } = ports;
  const nodes = createNodeAccess('semantic', { graph, spaces, quota });
  const restore = createMemoryRestorer({ graph, spaces, facts });

  /** Whether a memory, and the one that is kept for it, are as they were when they were compared. */
  async function isUnchanged({ revision, kept }: PlannedArchiving, node: MemoryNode): Promise<boolean> {
    if (node.revision !== revision) return false;
    if (kept !== undefined && (await graph.get(kept.id))?.revision !== kept.revision) return false;
    return !hasRelations(await graph.related(node.id));
  }

  /**
   * Removes the copy of a memory that stays, which an attempt left that was killed before it deleted the memory.
   * @returns false if the memory is gone
   */
  async function removeStale(name: ConsolidationName, place: number, id: string): Promise<boolean> {
    // Another attempt may be about to delete the memory; it deletes only the revision that was compared.
    if ((await graph.update(id, {})) === undefined) return false;
    await archive.remove(name, [place]);
    return true;
  }

  /** Notes what an archived memory says as facts, or forgets it if the memory that was to stay for it has been deleted. */
  async function archiveFacts(userId: string, { id, kept }: PlannedArchiving): Promise<void> {
    await facts.archive(userId, id, kept?.id);
    if (kept === undefined || (await graph.get(kept.id)) !== undefined) return;
    // Another consolidation may have archived it, and then what both say stays.
    if ((await facts.sourceOf(userId, kept.id)) === undefined) await facts.forget(userId, id);
  }

  /** @returns whether the memory is archived now */
  async function archiveOne(
    name: ConsolidationName,
    place: number,
    planned: PlannedArchiving,
  ): Promise<boolean> {
    const node = await graph.get(planned.id);
    if (node === undefined) {
      // If there is a copy, an earlier attempt of this step archived it.
      if ((await archive.get(name, place)) === undefined) return false;
    } else {
      if (node.userId !== name.userId) return false;
      if (!(await isUnchanged(planned, node))) {
        if ((await archive.get(name, place)) !== undefined) await removeStale(name, place, node.id);
        return false;
      }
      const neighbours = (await graph.neighbours([node.id])).get(node.id) ?? {};
      const source = await facts.sourceOf(name.userId, node.id);
      const copy = { node, neighbours, source };
      // The copy comes first, so that a process that is killed between the two loses nothing.
      const isFirst = await archive.put(name, place, copy);
      const deleted = await graph.delete(node.id, { ifRevision: node.revision });
      if (deleted === undefined) {
        if (await removeStale(name, place, node.id)) return false;
        // Its user has deleted it meanwhile, and an undo must not bring it back. If another attempt of this step has put the copy
        // too, that one may have deleted it.
        if (isFirst && (await archive.removeOnce(name, place))) return false;
      }
    }
    await archiveFacts(name.userId, planned);
    return true;
  }

  async function removeSummaries({ summaries = [] }: StoredConsolidation): Promise<void> {
    for (const id of summaries) {
      // A summary that somebody has changed or connected with others belongs to its user now.
      if (!hasRelations(await graph.related(id))) await graph.delete(id, { ifRevision: 1 });
    }
  }

  return {
    plan: createConsolidationPlanner(ports),
    async archive({ memories, start, ...name }, signal) {
      // An undo ends the consolidation, even if its run is still working.
      if ((await archive.note(name, {})).undoneAt !== undefined) return 0;
      let archived = 0;
      for (const [at, planned] of memories.entries()) {
        signal?.throwIfAborted();
        if (await archiveOne(name, start + at, planned)) archived += 1;
      }
      return archived;
    },
    async summarise({ summaries, ...name }) {
      // The ids are noted first, so that an undo removes every summary that is stored.
      const noted = await archive.note(name, { summaries: summaries.map(({ id }) => id) });
      if (noted.undoneAt !== undefined) return;
      for (const summary of summaries)
        try {
          await nodes.insert({ node: toSummaryNode(name.userId, summary, now()) });
        } catch (error) {
          // A summary is not worth more than the quota.
          if (!isHoldfastError(error) || error.code !== 'MEMORY_QUOTA') throw error;
        }
    },
    finish: (name, archived) => archive.note(name, { archived }),
    list: (userId) => archive.list(userId),
    async checkUndoable(name) {
      const stored = await archive.find(name);
      const { consolidationId: id } = name;
      if (stored === undefined)
        throw new HoldfastError('CONSOLIDATION_NOT_FOUND', `The user has no consolidation "${id}"`);
      // A run that was still working may have archived more since it was undone.
      if (stored.undoneAt !== undefined && (await archive.latest(name, 1)).size === 0)
        throw new HoldfastError('CONSOLIDATION_UNDONE', `The consolidation "${id}" was undone already`);
      if (now() > stored.at + UNDOABLE_MS)
        throw new HoldfastError('CONSOLIDATION_EXPIRED', `The consolidation "${id}" is older than a week`);
    },
    async undo(name, signal) {
      // The user was erased meanwhile.
      if ((await archive.find(name)) === undefined) return { restored: 0, done: true };
      const copies = await archive.latest(name, UNDO_PAGE);
      for (const copy of copies.values()) {
        signal?.throwIfAborted();
        await restore(copy);
      }
      await archive.remove(name, [...copies.keys()]);
      if (copies.size === UNDO_PAGE) return { restored: copies.size, done: false };
      // The run stores no summary once it has read this note, and one that it noted before is in it.
      await removeSummaries(await archive.note(name, { undoneAt: now() }));
      return { restored: copies.size, done: true };
    },
  };
}
