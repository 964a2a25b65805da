import { eachAtOnce } from '../../base/async/each-at-once';
import { MAX_MEMORY_LIMIT } from '../../stores/memory/search';
import type { MemoryGraph, NamePage, SessionSummary, UserMemories } from '../../stores/memory/memory-graph';

/** A user who has memories. Times are those of the first and the last memory of both kinds, epoch milliseconds. */
export interface UserSummary {
  readonly userId: string;
  readonly episodic: number;
  readonly semantic: number;
  readonly first: number;
  readonly last: number;
}

/** A page of a list, and the name after which the next one begins; absent on the last page. */
export interface DirectoryPage<T> {
  readonly found: readonly T[];
  readonly next?: string;
}

/**
 * Lists who has memories, and in which sessions, in ascending order of code units of the names, so that pages stay consistent
 * while others are added and erased. All methods throw what the graph throws.
 */
export interface MemoryDirectory {
  users(page: NamePage): Promise<DirectoryPage<UserSummary>>;
  sessions(userId: string, page: NamePage): Promise<DirectoryPage<SessionSummary>>;
}

export interface MemoryDirectoryPorts {
  readonly graph: Pick<UserMemories, 'listSessions' | 'stats'>;
  readonly listUsers: MemoryGraph['listUsers'];
}

/** Number of users whose figures are read at once: one after another, those of a page take a second on a server. */
const AT_ONCE = 8;

export function createMemoryDirectory({ graph, listUsers }: MemoryDirectoryPorts): MemoryDirectory {
  /** Undefined if the last memory of the user was deleted since the user was listed. */
  async function summarise(userId: string): Promise<UserSummary | undefined> {
    const { episodic, semantic } = await graph.stats(userId);
    const times = [episodic.oldest, semantic.oldest, episodic.newest, semantic.newest].filter(
      (time) => time !== null,
    );
    if (times.length === 0) return undefined;
    const [first, last] = [Math.min(...times), Math.max(...times)];
    return { userId, episodic: episodic.count, semantic: semantic.count, first, last };
  }

  return {
    async users({ limit: askedLimit, ...after }) {
      const limit = Math.min(askedLimit, MAX_MEMORY_LIMIT - 1);
      // One name more than asked for shows whether there is another page.
      const page = { ...after, limit: limit + 1 };
      const [withEvents, withConcepts] = await Promise.all([
        listUsers('episodic', page),
        listUsers('semantic', page),
      ]);
      // The default order of a sort is that of code units.
      const names = [...new Set([...withEvents, ...withConcepts])].sort();
      const shown = names.slice(0, limit);
      const summaries = new Map<string, UserSummary | undefined>();
      await eachAtOnce(shown, AT_ONCE, async (userId) => {
        summaries.set(userId, await summarise(userId));
      });
      const foundUsers = shown.flatMap((userId) => summaries.get(userId) ?? []);
      return { found: foundUsers, ...nextOf(names.length > limit, shown.at(-1)) };
    },
    async sessions(userId, { limit: askedLimit, ...after }) {
      const limit = Math.min(askedLimit, MAX_MEMORY_LIMIT - 1);
      const sessions = await graph.listSessions(userId, { ...after, limit: limit + 1 });
      const foundSessions = sessions.slice(0, limit);
      return { found: foundSessions, ...nextOf(sessions.length > limit, foundSessions.at(-1)?.sessionId) };
    },
  };
}

function nextOf(isMore: boolean, last: string | undefined): { next?: string } {
  return isMore && last !== undefined ? { next: last } : {};
}
