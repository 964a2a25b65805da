import { CONVERSATION_TAG } from '../../contracts/http/conversations';
import type {
  ConsolidationOptions,
  ConsolidationPlan,
  PlannedArchiving,
} from '../../contracts/runs/consolidation';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryKind, MemoryNode } from '../../stores/memory/node';
import type { Facts } from '../facts/facts';
import { contentOf, sourceOf } from '../nodes/episodic-node';
import type { OpenSpaces } from '../vectors/vector-spaces';
import { type ComparedMemory, findDuplicates, toArchivings, toCompared } from './duplicates';
import { hasRelations } from './relations';
import { planSummaries, type SessionCount, toStoredSummary } from './plan-summaries';
import { createStandingText, type StandingText } from '../facts/sayings';
import { forEachLatest } from '../insights/memory-insights';

export interface PlannerPorts {
  readonly graph: Pick<UserMemories, 'list' | 'relatedOfMany'>;
  readonly facts: Pick<Facts, 'readSources' | 'listDue'>;
  readonly spaces: OpenSpaces;
  /** Whether a store of semantic memories is configured; without it no session is summarised. */
  readonly hasSemantic: boolean;
  readonly newId: () => string;
}

/** Plans the consolidation of a user's memories. It changes nothing. @throws what graph, documents and embedder throw */
export type ConsolidationPlanner = (
  userId: string,
  options: ConsolidationOptions,
  signal?: AbortSignal,
) => Promise<ConsolidationPlan>;

/** Maximum number of latest memories of each kind that are compared. */
const MAX_COMPARED = 20_000;
/** Maximum number of memories that one run archives, without the summaries that it replaces. */
const MAX_ARCHIVED = 1_000;
/** Number of memories whose relations are read at once. */
const PAGE = 500;

interface Seen {
  readonly compared: ComparedMemory[];
  readonly superseded: PlannedArchiving[];
  readonly sessions: Map<string, SessionCount>;
  readonly count: Record<MemoryKind, number>;
}

export function createConsolidationPlanner(ports: PlannerPorts): ConsolidationPlanner {
  const { graph, facts, spaces, hasSemantic } = ports;

  async function read(
    userId: string,
    { before: to }: ConsolidationOptions,
    look: (node: MemoryNode) => void,
  ): Promise<void> {
    const kinds: MemoryKind[] = hasSemantic ? ['episodic', 'semantic'] : ['episodic'];
    for (const kind of kinds)
      await forEachLatest(graph, { userId, kind, filters: { to } }, MAX_COMPARED, (node) => {
        // An event of the past may have been stored just now.
        if (node.storedAt <= to) look(node);
      });
  }

  /** Leaves out memories that callers have connected with others, because these are more than repetitions. */
  async function withoutRelated(planned: readonly PlannedArchiving[]): Promise<PlannedArchiving[]> {
    const free: PlannedArchiving[] = [];
    for (let start = 0; start < planned.length; start += PAGE) {
      const page = planned.slice(start, start + PAGE);
      const related = await graph.relatedOfMany(page.map(({ id }) => id));
      free.push(...page.filter(({ id }) => !hasRelations(related.get(id) ?? [])));
    }
    return free;
  }

  return async (userId, options, signal) => {
    // Read before the sources, so that what a model draws meanwhile is either due here or among them.
    const due = await facts.listDue(userId);
    const { sources, facts: known } = await facts.readSources(userId);
    const saidFacts = new Map(sources.map((source) => [source.memoryId, source.said]));
    // A fact that only a model has drawn shows that the memory says more than the rules read of it, in a clause of unknown bounds.
    const isReadByRules = (id: string): boolean =>
      saidFacts.get(id)?.every(({ drawnBy }) => drawnBy === undefined) ?? true;
    const keptIds = new Set(sources.flatMap(({ archived }) => archived?.keptAs ?? []));
    // Searches leave a memory out if no fact of it that the rules know by name holds. Before it is archived, no other fact that
    // they read from it may hold either, because rules may misread a sentence.
    const readers = [createStandingText(known.filter(({ certain }) => certain)), createStandingText(known)];
    const seen: Seen = {
      compared: [],
      superseded: [],
      sessions: new Map(),
      count: { episodic: 0, semantic: 0 },
    };
    await read(userId, options, (node) => {
      seen.count[node.kind] += 1;
      if (node.kind === 'episodic') noteSession(seen, node);
      // What a memory says is not known before the model has read it.
      if (toStoredSummary(node) !== undefined || due.has(node.id)) return;
      if (isReadByRules(node.id) && isSuperseded(node, readers))
        seen.superseded.push({ id: node.id, revision: node.revision });
      else if (node.kind === 'semantic' || sourceOf(node) !== 'assistant')
        seen.compared.push(
          toCompared(
            node,
            isReadByRules(node.id) ? (saidFacts.get(node.id) ?? []) : [],
            keptIds.has(node.id),
          ),
        );
    });
    const groups = await findDuplicates(seen.compared, spaces, signal);
    const archivings = await withoutRelated([...seen.superseded.reverse(), ...groups.flatMap(toArchivings)]);
    const { summaries, replaced, more } = await planSummaries(ports, {
      userId,
      options,
      sessions: hasSemantic ? seen.sessions : new Map(),
      saysFacts: (memoryId) => saidFacts.has(memoryId) || due.has(memoryId),
    });
    return {
      compared: seen.count,
      archive: [...archivings.slice(0, MAX_ARCHIVED), ...replaced],
      summaries,
      more: more || archivings.length > MAX_ARCHIVED,
    };
  };
}

function isSuperseded(node: MemoryNode, readers: readonly StandingText[]): boolean {
  if (node.kind !== 'episodic' || sourceOf(node) !== 'user') return false;
  return readers.every((standingText) => standingText(node.id, contentOf(node)) === undefined);
}

/** Counts a message of a session. Memories are seen from the latest to the first one. */
function noteSession({ sessions }: Seen, { sessionId, timestamp, labels }: MemoryNode): void {
  if (sessionId === null || !labels.includes(CONVERSATION_TAG)) return;
  const { messages = 0, to = timestamp } = sessions.get(sessionId) ?? {};
  sessions.set(sessionId, { messages: messages + 1, from: timestamp, to });
}
