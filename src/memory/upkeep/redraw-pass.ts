import { isHoldfastError, messageOf } from '../../base/errors';
import type { RedrawFactsStep } from '../../contracts/runs/facts';
import type { TenantDocuments } from '../../stores/documents';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { ListPosition } from '../../stores/memory/search';
import { FACTS } from '../facts/fact-log';
import { createPassCursor, type PassCursorPorts } from './pass-cursor';
import type { RedrawPage } from './redraw';

export interface FactRedrawPorts extends PassCursorPorts {
  readonly documents: Pick<TenantDocuments, 'get' | 'list' | 'write'>;
  /** The version of the rules that draw facts. */
  readonly factsVersion: number;
  /** A pseudonym of the graph of memories. */
  readonly place: string;
  readonly listUsers: MemoryGraph['listUsers'];
  readonly page: RedrawPage;
}

/**
 * Draws the facts of all users of a tenant anew, once for each graph of memories and version of the rules, and not at all if there
 * are no facts. Where it is stands in a document, so that no history names a user. Throws what the stores throw.
 */
export interface FactRedraw {
  /** Whether facts may have been drawn by an earlier version of the rules. If there are no facts, it notes that none were. */
  isDue(): Promise<boolean>;
  /** Draws the facts of a bounded number of memories. May be repeated. */
  step(signal?: AbortSignal): Promise<RedrawFactsStep>;
}

/** The documents that say where a redrawing is. */
export const REDRAW_PASS = 'facts-redraw';
/** Has a document for each graph, with the version of the rules that drew the facts of all its memories. */
const VERSIONS = 'facts-rules';
const MEMORIES_PER_STEP = 1_000;
/** The maximum number of users in a step, as most have few memories. */
const USERS_PER_STEP = 100;

interface Position {
  /** Another version, or another graph, begins with the first user. */
  readonly factsVersion: number;
  readonly place: string;
  readonly after?: string;
  /** Where the next page of that user begins; absent when all of their memories are done. */
  readonly page?: ListPosition;
}

export function createFactRedraw(ports: FactRedrawPorts): FactRedraw {
  const { documents, logger, factsVersion, place, listUsers, page: drawPage } = ports;
  const cursor = createPassCursor<Position>(ports, REDRAW_PASS);

  const noteDone = (): Promise<unknown> =>
    documents.write([{ type: 'put', collection: VERSIONS, key: place, value: factsVersion }]);

  async function isDue(): Promise<boolean> {
    const drawn = (await documents.get<number>(VERSIONS, place))?.value ?? 0;
    if (drawn >= factsVersion) return false;
    if ((await documents.list(FACTS, { limit: 1 })).length > 0) return true;
    await noteDone();
    return false;
  }

  async function readPosition(): Promise<Pick<Position, 'after' | 'page'>> {
    const stored = await cursor.read();
    return stored?.factsVersion === factsVersion && stored.place === place ? stored : {};
  }

  /** Draws a page of a user's memories. One user whose facts cannot be drawn must not keep the pass from the others. */
  async function drawNext(userId: string, from: ListPosition | undefined, signal?: AbortSignal) {
    try {
      return { failed: 0, ...(await drawPage(userId, from, signal)) };
    } catch (error) {
      signal?.throwIfAborted();
      if (isHoldfastError(error) && error.retryable) throw error;
      if (isHoldfastError(error) && error.code === 'MEMORY_ERASING') return { failed: 0, memories: 0 };
      logger.warn({ reason: messageOf(error) }, 'the facts of a user could not be drawn anew');
      return { failed: 1, memories: 0 };
    }
  }

  return {
    isDue,
    async step(signal) {
      let [users, memories, failed] = [0, 0, 0];
      if (!(await isDue())) return { users, memories, failed, done: true };
      let { after, page } = await readPosition();
      while (memories < MEMORIES_PER_STEP && users < USERS_PER_STEP) {
        signal?.throwIfAborted();
        const position = after === undefined ? {} : { after };
        const userId =
          page === undefined ? (await listUsers('episodic', { ...position, limit: 1 }))[0] : after;
        if (userId === undefined) {
          await noteDone();
          await cursor.write(undefined);
          return { users, memories, failed, done: true };
        }
        const drawn: Awaited<ReturnType<RedrawPage>> & { readonly failed: number } = await drawNext(
          userId,
          page,
          signal,
        );
        memories += drawn.memories;
        failed += drawn.failed;
        users += drawn.next === undefined ? 1 : 0;
        [after, page] = [userId, drawn.next];
        await cursor.write({ factsVersion, place, after, page });
      }
      return { users, memories, failed, done: false };
    },
  };
}
