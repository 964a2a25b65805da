import { isHoldfastError, messageOf } from '../../base/errors';
import type { ConsolidationPassStep } from '../../contracts/runs/consolidation';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryKind } from '../../stores/memory/node';
import type { Consolidations } from './consolidations';
import { createPassCursor, type PassCursorPorts } from './pass-cursor';

/** What a pass needs of the memories of a tenant. */
export interface PassMemory {
  readonly consolidations: Consolidations;
  /** Lists users who have memories of a kind, in ascending order of code units. */
  listUsers(kind: MemoryKind, options: { after?: string; limit: number }): Promise<string[]>;
  readonly graph: Pick<UserMemories, 'count'>;
}

export interface ConsolidationPassPorts extends PassCursorPorts {
  readonly open: () => Promise<PassMemory>;
  readonly newId: () => string;
}

/**
 * Consolidates the memories of all users of a tenant, a few users in each step. Where a pass is, stands in a document, so that no
 * history names a user. Throws what the stores throw.
 */
export type ConsolidationPass = (signal?: AbortSignal) => Promise<ConsolidationPassStep>;

/** The documents that say where a consolidation of all users is. */
export const CONSOLIDATION_PASS = 'consolidation-pass';

/** A user who has events is visited for these, and only other users for their concepts. */
interface Position {
  readonly kind: MemoryKind;
  readonly after?: string;
}

const FIRST: Position = { kind: 'episodic' };
const USERS_PER_STEP = 20;
/** What was stored in the last day stays, because conversations may still refer to it, milliseconds. */
const RECENT_MS = 86_400_000;
/** From this number of messages on a session is summarised. */
export const LONG_SESSION = 100;

export function createConsolidationPass(ports: ConsolidationPassPorts): ConsolidationPass {
  const { open, logger, newId, now } = ports;
  const cursor = createPassCursor<Position>(ports, CONSOLIDATION_PASS);

  /** @returns how many memories of the user were archived */
  async function consolidate(
    { consolidations }: PassMemory,
    userId: string,
    signal?: AbortSignal,
  ): Promise<number> {
    const options = { before: now() - RECENT_MS, longSession: LONG_SESSION };
    const { archive, summaries } = await consolidations.plan(userId, options, signal);
    if (archive.length + summaries.length === 0) return 0;
    const name = { userId, consolidationId: newId() };
    const archived = await consolidations.archive({ ...name, memories: archive, start: 0 }, signal);
    if (summaries.length > 0) await consolidations.summarise({ ...name, summaries });
    await consolidations.finish(name, archived);
    return archived;
  }

  return async (signal) => {
    const memory = await open();
    const { kind, after } = (await cursor.read()) ?? FIRST;
    const position = after === undefined ? {} : { after };
    const users = await memory.listUsers(kind, { ...position, limit: USERS_PER_STEP });
    let archived = 0;
    let visited = 0;
    let failed = 0;
    for (const userId of users) {
      signal?.throwIfAborted();
      const hasEvents = kind === 'semantic' && (await memory.graph.count({ userId, kind: 'episodic' })) > 0;
      try {
        if (!hasEvents) archived += await consolidate(memory, userId, signal);
        visited += hasEvents ? 0 : 1;
      } catch (error) {
        signal?.throwIfAborted();
        if (isHoldfastError(error) && error.retryable) throw error;
        // One user whose memories cannot be consolidated must not keep the pass from the others.
        if (!isHoldfastError(error) || error.code !== 'MEMORY_ERASING') {
          failed += 1;
          logger.warn({ reason: messageOf(error) }, 'the memories of a user could not be consolidated');
        }
      }
      await cursor.write({ kind, after: userId });
    }
    if (users.length === USERS_PER_STEP) return { users: visited, archived, failed, done: false };
    const done = kind === 'semantic';
    await cursor.write(done ? undefined : { kind: 'semantic' });
    return { users: visited, archived, failed, done };
  };
}
