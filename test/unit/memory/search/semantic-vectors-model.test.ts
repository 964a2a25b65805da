import fc from 'fast-check';
import { createVectorRelay } from '../../../../src/memory/vectors/vector-relay';
import { searchSemanticVectors } from '../../../../src/memory/search/semantic-vectors';
import { unit } from '../../../contract/support/vector-index-harness';
import { createOutboxGraph, dot } from '../../../support/outbox-graph';
import { INDEX_NAME, namespaceOf, pineconeIndexAt } from '../../../support/pinecone-index';
import { startPineconeServer } from '../../../support/pinecone-server/server';

type Step =
  | { readonly type: 'put'; readonly id: string; readonly values: Float32Array }
  | { readonly type: 'delete'; readonly id: string }
  | { readonly type: 'move'; readonly limit: number }
  | { readonly type: 'index'; readonly writes: number };

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const values = fc
  .tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 9 }))
  .map((direction) => unit(...direction));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('put' as const), id, values }),
  fc.record({ type: fc.constant('delete' as const), id }),
  fc.record({ type: fc.constant('move' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ type: fc.constant('index' as const), writes: fc.integer({ min: 1, max: 5 }) }),
);

/** A single process never overtakes itself. */
const never = () => Promise.reject(new Error('a vector was to be made again'));

describe('search while vectors move', () => {
  it('finds every memory that is there by its latest vector, and no other, after any step', async () => {
    const server = await startPineconeServer();
    server.hold();
    await server.addIndex({ name: INDEX_NAME });
    const index = pineconeIndexAt(server);
    let user = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), values, async (steps, vector) => {
        const graph = createOutboxGraph();
        const latest = new Map<string, Float32Array>();
        const used = new Set<string>();
        user += 1;
        const userId = `user ${user}`;
        for (const one of steps) {
          if (one.type === 'put' && latest.has(one.id)) {
            graph.change(one.id, {}, one.values);
            latest.set(one.id, one.values);
          } else if (one.type === 'put' && !used.has(one.id)) {
            // The store never reuses an id.
            used.add(one.id);
            graph.add(one.id, one.values, { userId });
            latest.set(one.id, one.values);
          } else if (one.type === 'delete' && latest.delete(one.id)) {
            graph.delete(one.id);
          } else if (one.type === 'move') {
            await createVectorRelay({ graph, index, reembed: never, limit: one.limit }).round();
          } else if (one.type === 'index') {
            const namespace = server.index(INDEX_NAME).data.namespaces.get(namespaceOf(1, userId));
            namespace?.index(Math.min(namespace.lsn, namespace.indexedLsn + one.writes));
          }
          const query = { userId, kind: 'semantic', spaceId: 1, vector, limit: 10 } as const;
          const hits = await searchSemanticVectors({ graph, index }, query);
          expect(new Map(hits.map((hit) => [hit.id, hit.score]))).toEqual(
            new Map([...latest].map(([key, put]) => [key, expect.closeTo(dot(put, vector), 5) as number])),
          );
        }
      }),
      { numRuns: 25 },
    );
    await index.close();
    await server.close();
  });
});
