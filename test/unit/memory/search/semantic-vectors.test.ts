import { createVectorRelay } from '../../../../src/memory/vectors/vector-relay';
import { searchSemanticVectors } from '../../../../src/memory/search/semantic-vectors';
import type { MemoryFilters, SearchHit, VectorQuery } from '../../../../src/stores/memory/search';
import type { VectorIndex } from '../../../../src/stores/memory/vector-index';
import { unit } from '../../../contract/support/vector-index-harness';
import { createOutboxGraph, type OutboxGraph } from '../../../support/outbox-graph';
import { pineconeIndexAt } from '../../../support/pinecone-index';
import { fails } from '../../../support/pinecone-server/behaviours';
import { type PineconeServer, startPineconeServer } from '../../../support/pinecone-server/server';

const EAST = unit(1, 0, 0);
const NORTH = unit(0, 1, 0);

const never = () => Promise.reject(new Error('a vector was to be made again'));

describe('search over the vectors of graph and index', () => {
  let server: PineconeServer;
  let index: VectorIndex;
  let graph: OutboxGraph;

  beforeEach(async () => {
    server = await startPineconeServer();
    index = pineconeIndexAt(server);
    graph = createOutboxGraph();
  });

  afterEach(async () => {
    await index.close();
    await server.close();
  });

  const search = (given: Partial<VectorQuery> = {}): Promise<SearchHit[]> =>
    searchSemanticVectors(
      { graph, index },
      { userId: 'ann', kind: 'semantic', spaceId: 1, vector: EAST, limit: 5, ...given },
    );
  const ids = async (given?: Partial<VectorQuery>): Promise<string> =>
    (await search(given)).map(({ id }) => id).join(' ');
  const move = () => createVectorRelay({ graph, index, reembed: never, limit: 1_000 }).round();
  /** Relays until the index has all vectors and the graph holds none. */
  const moveAll = async (): Promise<void> => {
    await move();
    await move();
    expect(graph.heldIds()).toEqual([]);
  };

  it('finds a memory from the moment it is there to long after', async () => {
    server.hold();
    graph.add('a', EAST);
    expect(await ids()).toBe('a');
    await move();
    expect(await ids()).toBe('a');
    server.release();
    expect(await ids()).toBe('a');
    await move();
    expect(graph.heldIds()).toEqual([]);
    expect(await search()).toEqual([{ id: 'a', score: expect.closeTo(1, 5) }]);
  });

  it('never finds what was deleted, though the index still shows it', async () => {
    graph.add('a', EAST);
    graph.add('b', NORTH);
    await moveAll();
    server.hold();
    graph.delete('a');
    expect(await ids()).toBe('b');
    await move();
    expect((await index.search(query(EAST))).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(await ids()).toBe('b');
    server.release();
    expect((await index.search(query(EAST))).map(({ id }) => id)).toEqual(['b']);
    expect(await ids()).toBe('b');
  });

  it('merges both, best first, and a memory in both counts once, by its newer vector', async () => {
    graph.add('old', unit(3, 1, 0));
    graph.add('turned', EAST);
    await moveAll();
    graph.change('turned', {}, NORTH);
    graph.add('new', unit(2, 1, 0));
    expect(await search()).toEqual([
      { id: 'old', score: expect.closeTo(3 / Math.sqrt(10), 5) },
      { id: 'new', score: expect.closeTo(2 / Math.sqrt(5), 5) },
      { id: 'turned', score: expect.closeTo(0, 5) },
    ]);
    expect(await ids({ limit: 2 })).toBe('old new');
  });

  it('goes by the labels, times and weights that the graph has', async () => {
    graph.add('a', EAST, { labels: ['tea'], weight: 0.2 });
    graph.add('b', NORTH, { labels: ['tea'], weight: 0.8, timestamp: 5 });
    await moveAll();
    server.hold();
    graph.change('a', { labels: ['milk'], weight: 0.9 }, EAST);
    await move();
    const found = (filters: MemoryFilters): Promise<string> => ids({ filters });
    expect(await found({ anyLabel: ['tea'] })).toBe('b');
    expect(await found({ anyLabel: ['milk'] })).toBe('a');
    expect(await found({ maxWeight: 0.5 })).toBe('');
    expect(await found({ minWeight: 0.5 })).toBe('a b');
    expect(await found({ to: 5 })).toBe('b');
    expect(await found({ from: 6 })).toBe('a');
  });

  it('fills the limit though most of what the index shows is deleted', async () => {
    for (let at = 0; at < 500; at += 1) graph.add(`m${at}`, unit(1_000 - at, at, 0));
    await moveAll();
    server.hold();
    for (let at = 0; at < 490; at += 1) graph.delete(`m${at}`);
    expect(await ids({ limit: 3 })).toBe('m490 m491 m492');
    expect(await ids({ limit: 50 })).toBe(Array.from({ length: 10 }, (_, at) => `m${490 + at}`).join(' '));
  });

  it('asks the index once where nothing is in its way', async () => {
    for (let at = 0; at < 200; at += 1) graph.add(`m${at}`, unit(1_000 - at, at, 0));
    await moveAll();
    const before = server.count('POST /query');
    expect(await ids({ limit: 2 })).toBe('m0 m1');
    expect(server.count('POST /query') - before).toBe(1);
  });

  it('misses nothing that moves between its reads', async () => {
    server.hold();
    graph.add('a', EAST);
    await move();
    const moving: VectorIndex = {
      ...index,
      async search(asked) {
        const hits = await index.search(asked);
        server.release();
        await move();
        return hits;
      },
    };
    expect((await searchSemanticVectors({ graph, index: moving }, query(EAST))).map(({ id }) => id)).toEqual([
      'a',
    ]);
    expect(graph.heldIds()).toEqual([]);
  });

  it('keeps users apart', async () => {
    graph.add('a', EAST);
    graph.add('b', EAST, { userId: 'bob' });
    expect(await ids()).toBe('a');
    await moveAll();
    expect(await ids()).toBe('a');
    expect(await ids({ userId: 'bob' })).toBe('b');
  });

  it('fails where the index does, as half an answer would look like a whole one', async () => {
    graph.add('a', EAST);
    server.otherwise(fails(503));
    await expect(search()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { service: 'vectordb', reason: expect.any(String) as string },
    });
  });

  it('is that of the graph if there is no index', async () => {
    graph.add('a', EAST);
    expect(await searchSemanticVectors({ graph, index: undefined }, query(NORTH))).toEqual([
      { id: 'a', score: 0 },
    ]);
  });
});

function query(vector: Float32Array): VectorQuery {
  return { userId: 'ann', kind: 'semantic', spaceId: 1, vector, limit: 5 };
}
