import fc from 'fast-check';
import type { VectorEntry } from '../../src/stores/memory/vector-index';
import { DIMENSIONS, entry, unit, type VectorIndexUnderTest } from './support/vector-index-harness';

const SPACE = 1;
const USERS = ['ann', 'bob'];

type Step =
  | { readonly type: 'put'; readonly entries: readonly VectorEntry[] }
  | { readonly type: 'remove'; readonly userId: string; readonly ids: readonly string[] }
  | { readonly type: 'removeUser'; readonly userId: string };

const user = fc.constantFrom(...USERS);
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const direction = fc
  .array(fc.integer({ min: -50, max: 50 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .filter((values) => values.some((value) => value !== 0));
const vector = direction.map((values) => unit(...values));
const entries = fc.array(
  fc.record({ id, userId: user, revision: fc.nat(5), values: vector }).map((given) => entry(given.id, given)),
  { maxLength: 4 },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: entries.map((put) => ({ type: 'put' as const, entries: put })) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('remove' as const), userId: user, ids: fc.array(id) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('removeUser' as const), userId: user }) },
);

/** Compares any sequence of writes with a map that is searched by comparing every vector. */
export function describeVectorModel(current: () => VectorIndexUnderTest): void {
  it('finds what a plain map of vectors would find', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), vector, async (steps, searched) => {
        const { index, harness } = current();
        const model = new Map<string, VectorEntry>();
        for (const userId of USERS) await index.removeUser(SPACE, userId);
        for (const one of steps) {
          if (one.type === 'put') {
            // Writes are made one at a time, because the port does not define the result of one call with two entries
            // of one id.
            for (const put of one.entries) await index.upsert(SPACE, [put]);
            for (const put of one.entries) model.set(`${put.userId}/${put.id}`, put);
          } else if (one.type === 'remove') {
            await index.remove(SPACE, one.userId, one.ids);
            for (const removed of one.ids) model.delete(`${one.userId}/${removed}`);
          } else {
            await index.removeUser(SPACE, one.userId);
            for (const key of model.keys()) if (key.startsWith(`${one.userId}/`)) model.delete(key);
          }
        }
        await harness.settle();
        for (const userId of USERS) {
          const query = { userId, kind: 'semantic', spaceId: SPACE, vector: searched, limit: 10 } as const;
          const hits = await index.search(query);
          const expected = [...model.values()].filter((put) => put.userId === userId);
          expect(new Map(hits.map((hit) => [hit.id, hit.score]))).toEqual(
            new Map(expected.map((put) => [put.id, expect.closeTo(dot(put.values, searched), 5) as number])),
          );
          const scores = hits.map(({ score }) => score);
          expect(scores).toEqual([...scores].sort((a, b) => b - a));
        }
      }),
      { numRuns: 25 },
    );
  });
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
