import type { VectorQuery } from '../../../../src/stores/memory/search';
import { tenantVectors } from '../../../../src/stores/tenants/tenant-memories';

test('an index of vectors is asked for the users of the tenant alone', async () => {
  const asked: string[] = [];
  const index = {
    search({ userId }: VectorQuery) {
      asked.push(userId);
      return Promise.resolve([]);
    },
    removeUser(_space: number, userId: string) {
      asked.push(userId);
      return Promise.resolve();
    },
  };
  const query: VectorQuery = {
    userId: 'ann',
    kind: 'semantic',
    spaceId: 1,
    vector: new Float32Array(1),
    limit: 1,
  };
  for (const tenant of ['default', 'acme', 'globex']) {
    const own = tenantVectors(index, tenant);
    await own.search(query);
    await own.removeUser(1, 'ann');
  }
  expect(new Set(asked).size).toBe(3);
  expect(asked.slice(0, 2)).toEqual(['ann', 'ann']);
  for (const at of [2, 4]) expect(asked[at]).toBe(asked[at + 1]);
});
