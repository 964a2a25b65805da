import { createMemoryDirectory, type MemoryDirectoryPorts } from '../../../../src/memory/service/directory';
import type { UserMemoryStats } from '../../../../src/stores/memory/memory-graph';
import type { MemoryKind } from '../../../../src/stores/memory/node';
import { MAX_MEMORY_LIMIT } from '../../../../src/stores/memory/search';

const NONE = { count: 0, oldest: null, newest: null };
const counted = (count: number, oldest: number, newest: number) => ({ count, oldest, newest });

/** A directory of users with the memories that their statistics tell. */
function open(users: Readonly<Record<string, Partial<UserMemoryStats>>>) {
  const statsOf = (userId: string): UserMemoryStats => ({
    ...{ episodic: NONE, semantic: NONE, categories: [] },
    ...users[userId],
  });
  const asked: number[] = [];
  const listUsers: MemoryDirectoryPorts['listUsers'] = (kind: MemoryKind, { after = '', limit }) => {
    asked.push(limit);
    const names = Object.keys(users).filter((name) => name > after && users[name]?.[kind] !== undefined);
    return Promise.resolve(names.sort().slice(0, limit));
  };
  const graph: MemoryDirectoryPorts['graph'] = {
    stats: (userId) => Promise.resolve(statsOf(userId)),
    listSessions: (_, { after = '', limit }) =>
      Promise.resolve(
        ['a', 'b', 'c']
          .filter((name) => name > after)
          .slice(0, limit)
          .map((sessionId) => ({ sessionId, memories: 1, first: 1, last: 2 })),
      ),
  };
  return { directory: createMemoryDirectory({ graph, listUsers }), asked };
}

test('users of both kinds are one list, whose pages miss and repeat no one', async () => {
  const { directory } = open({
    a: { semantic: counted(1, 5, 5) },
    b: { episodic: counted(2, -7, 3), semantic: counted(1, 1, 9) },
    c: { episodic: counted(1, 4, 4) },
    d: { semantic: counted(3, 1, 2) },
  });
  const first = await directory.users({ limit: 2 });
  expect(first).toEqual({
    found: [
      { userId: 'a', episodic: 0, semantic: 1, first: 5, last: 5 },
      { userId: 'b', episodic: 2, semantic: 1, first: -7, last: 9 },
    ],
    next: 'b',
  });
  const second = await directory.users({ limit: 2, after: 'b' });
  expect(second.found.map(({ userId }) => userId)).toEqual(['c', 'd']);
  expect(second).not.toHaveProperty('next');
});

test('a user whose last memory was deleted meanwhile is left out, and the list continues behind', async () => {
  const { directory } = open({
    a: { episodic: NONE },
    b: { episodic: counted(1, 1, 1) },
    c: { episodic: counted(1, 1, 1) },
  });
  const page = await directory.users({ limit: 1 });
  expect(page).toEqual({ found: [], next: 'a' });
  expect((await directory.users({ limit: 1, after: 'a' })).found).toMatchObject([{ userId: 'b' }]);
});

test('a page of sessions ends with the cursor of the next, and the last without', async () => {
  const { directory } = open({});
  const first = await directory.sessions('ann', { limit: 2 });
  expect([first.found.length, first.next]).toEqual([2, 'b']);
  const last = await directory.sessions('ann', { limit: 2, after: 'b' });
  expect([last.found.length, 'next' in last]).toEqual([1, false]);
});

test('a store is never asked for more than it gives, which would hide that there is a next page', async () => {
  const { directory, asked } = open({});
  await directory.users({ limit: 5 * MAX_MEMORY_LIMIT });
  expect(asked).toEqual([MAX_MEMORY_LIMIT, MAX_MEMORY_LIMIT]);
});
