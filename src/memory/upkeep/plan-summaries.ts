import { CONVERSATION_TAG } from '../../contracts/http/conversations';
import type {
  ConsolidationOptions,
  MemoryVersion,
  PlannedArchiving,
  PlannedSummary,
} from '../../contracts/runs/consolidation';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode, NewMemoryNode } from '../../stores/memory/node';
import { contentOf, sourceOf } from '../nodes/episodic-node';
import { toSemanticNode } from '../nodes/semantic-node';
import { hasRelations } from './relations';
import { createSessionSummary } from './session-summary';
import { forEachLatest } from '../insights/memory-insights';

/** The messages of a session; times are epoch milliseconds. */
export interface SessionCount {
  readonly messages: number;
  readonly from: number;
  readonly to: number;
}

/** A summary of an earlier consolidation. */
export interface StoredSummary extends MemoryVersion {
  readonly sessionId: string;
  readonly messages: number;
}

interface SummariesPorts {
  readonly graph: Pick<UserMemories, 'list' | 'relatedOfMany'>;
  readonly newId: () => string;
}

interface SummariesQuery {
  readonly userId: string;
  readonly options: ConsolidationOptions;
  readonly sessions: ReadonlyMap<string, SessionCount>;
  readonly saysFacts: (memoryId: string) => boolean;
}

interface PlannedSummaries {
  readonly summaries: readonly PlannedSummary[];
  readonly replaced: readonly PlannedArchiving[];
  readonly more: boolean;
}

/** The category of summaries. */
const SUMMARY_CATEGORY = 'session-summary';
const SUMMARY_SOURCE = 'consolidation';
/** Maximum number of sessions that one run summarises, and of latest messages of a session that a summary reads. */
const MAX_SESSIONS = 20;
const MAX_MESSAGES = 1_000;
/** Maximum number of latest summaries that are looked at. */
const MAX_SUMMARIES = 20_000;
/** A session is summarised again once it has this many times the messages. */
const GROWTH = 1.5;

/** Plans the summaries of long sessions that have none yet, or that have grown much since. */
export async function planSummaries(
  { graph, newId }: SummariesPorts,
  { userId, options, sessions, saysFacts }: SummariesQuery,
): Promise<PlannedSummaries> {
  const long = [...sessions].filter(([, { messages }]) => messages >= options.longSession);
  const stored = long.length === 0 ? new Map<string, StoredSummary>() : await readSummaries(graph, userId);
  const due = long
    .filter(([sessionId, { messages }]) => messages >= (stored.get(sessionId)?.messages ?? 0) * GROWTH)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const summaries: PlannedSummary[] = [];
  const before: StoredSummary[] = [];
  for (const [sessionId, { messages, ...times }] of due.slice(0, MAX_SESSIONS)) {
    const summary = createSessionSummary();
    const filters = { sessionId, anyLabel: [CONVERSATION_TAG], to: options.before };
    await forEachLatest(graph, { userId, kind: 'episodic', filters }, MAX_MESSAGES, (node) => {
      if (sourceOf(node) !== 'assistant' && node.storedAt <= options.before)
        summary.add({ text: contentOf(node), saysFacts: saysFacts(node.id) });
    });
    const session = {
      messages,
      from: new Date(times.from).toISOString(),
      to: new Date(times.to).toISOString(),
    };
    summaries.push({ id: newId(), sessionId, ...session, summary: summary.build(session) });
    const earlier = stored.get(sessionId);
    if (earlier !== undefined) before.push(earlier);
  }
  const related = await graph.relatedOfMany(before.map(({ id }) => id));
  // A summary that somebody has changed or connected with others belongs to its user now.
  const replaced = before
    .filter(({ id, revision }) => revision === 1 && !hasRelations(related.get(id) ?? []))
    .map(({ id, revision }): PlannedArchiving => ({ id, revision, replaced: true }));
  return { summaries, replaced, more: due.length > MAX_SESSIONS };
}

/**
 * Reads the latest summary of each session, whenever it was made: a consolidation of the messages before a time stores its summaries
 * after that time.
 */
async function readSummaries(
  graph: SummariesPorts['graph'],
  userId: string,
): Promise<ReadonlyMap<string, StoredSummary>> {
  const summaries = new Map<string, StoredSummary>();
  const filters = { anyLabel: [SUMMARY_CATEGORY] };
  await forEachLatest(graph, { userId, kind: 'semantic', filters }, MAX_SUMMARIES, (node) => {
    const summary = toStoredSummary(node);
    if (summary !== undefined && !summaries.has(summary.sessionId)) summaries.set(summary.sessionId, summary);
  });
  return summaries;
}

/** Builds the memory that a summary becomes. Pure. @param timestamp epoch milliseconds */
export function toSummaryNode(
  userId: string,
  { id, sessionId, messages, from, to, summary }: PlannedSummary,
  timestamp: number,
): NewMemoryNode {
  const metadata = {
    category: SUMMARY_CATEGORY,
    source: SUMMARY_SOURCE,
    session: sessionId,
    messages,
    from,
    to,
  };
  const memory = { userId, concept: `Session ${sessionId}`, description: summary, metadata };
  return toSemanticNode(memory, { id, timestamp });
}

/** Reads the summary that a memory is; undefined if it is another memory. Pure. */
export function toStoredSummary({ id, revision, kind, labels, body }: MemoryNode): StoredSummary | undefined {
  if (kind !== 'semantic' || !labels.includes(SUMMARY_CATEGORY)) return undefined;
  const { source, session, messages } = (body['metadata'] ?? {}) as Record<string, unknown>;
  if (source !== SUMMARY_SOURCE || typeof session !== 'string' || typeof messages !== 'number')
    return undefined;
  return { id, revision, sessionId: session, messages };
}
