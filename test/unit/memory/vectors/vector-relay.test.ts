import {
  createVectorRelay,
  type RelayedVectors,
  type VectorRelay,
} from '../../../../src/memory/vectors/vector-relay';
import type { VectorIndex } from '../../../../src/stores/memory/vector-index';
import { unit } from '../../../contract/support/vector-index-harness';
import { createOutboxGraph, type OutboxGraph } from '../../../support/outbox-graph';
import { INDEX_NAME, namespaceOf, pineconeIndexAt } from '../../../support/pinecone-index';
import { type Behaviour, drops, losesAnswer, serves } from '../../../support/pinecone-server/behaviours';
import { type PineconeServer, startPineconeServer } from '../../../support/pinecone-server/server';
import { waitFor } from '../../../support/wait';

const EAST = unit(1, 0, 0);
const NORTH = unit(0, 1, 0);

describe('a vector relay', () => {
  let server: PineconeServer;
  let index: VectorIndex;
  let graph: OutboxGraph;
  let relay: VectorRelay;

  /** Writes as the service does: with a new revision. */
  const reembed = (vectors: readonly { readonly id: string }[]): Promise<number> => {
    for (const { id } of vectors) graph.change(id, {}, NORTH);
    return Promise.resolve(vectors.length);
  };
  const relayFor = (one: VectorIndex, limit = 100): VectorRelay =>
    createVectorRelay({ graph, index: one, reembed, limit });

  beforeEach(async () => {
    server = await startPineconeServer();
    await server.addIndex({ name: INDEX_NAME });
    index = pineconeIndexAt(server);
    await index.ping();
    graph = createOutboxGraph();
    relay = relayFor(index);
  });

  afterEach(async () => {
    await index.close();
    await server.close();
  });

  const relayOnce = (signal?: AbortSignal): Promise<RelayedVectors> => relay.round(signal);
  /** The content of the index, including what it does not show yet. */
  const stored = (userId = 'ann'): string[] => {
    server.release();
    const namespace = server.index(INDEX_NAME).data.namespaces.get(namespaceOf(1, userId));
    return [...(namespace?.vectors.keys() ?? [])];
  };

  it('has nothing to do where nothing is held or dropped', async () => {
    const before = server.requests.length;
    expect(await relayOnce()).toEqual({ released: 0, put: 0, removed: 0, reembedded: 0, isFull: false });
    expect(server.requests.length).toBe(before);
  });

  it('puts what is held and lets go of it once it is shown', async () => {
    server.hold();
    graph.add('a', EAST, { labels: ['tea'], weight: 0.25, timestamp: 7 });
    graph.add('b', NORTH, { userId: 'bob' });
    expect(await relayOnce()).toEqual({ released: 0, put: 2, removed: 0, reembedded: 0, isFull: false });
    expect(await relayOnce()).toEqual({ released: 0, put: 2, removed: 0, reembedded: 0, isFull: false });
    expect(graph.heldIds()).toEqual(['a', 'b']);
    server.release();
    expect(await relayOnce()).toEqual({ released: 2, put: 0, removed: 0, reembedded: 0, isFull: false });
    expect(graph.heldIds()).toEqual([]);
    const data = server.index(INDEX_NAME).data.namespaces.get(namespaceOf(1, 'ann'))?.vectors.get('a');
    expect(data).toEqual({
      values: [1, 0, 0],
      metadata: { revision: 1, labels: ['tea'], weight: 0.25, timestamp: 7 },
    });
    expect(stored('bob')).toEqual(['b']);
  });

  it('holds on to a vector of which the index shows a former revision', async () => {
    graph.add('a', EAST);
    await relayOnce();
    graph.change('a', {}, NORTH);
    expect(await relayOnce()).toMatchObject({ released: 0, put: 1 });
    expect(await relayOnce()).toMatchObject({ released: 1, put: 0 });
  });

  it('takes no more than the limit, the longest held first', async () => {
    for (const id of ['a', 'b', 'c']) graph.add(id, EAST);
    const two = relayFor(index, 2);
    expect(await two.round()).toMatchObject({ put: 2, isFull: true });
    expect(stored()).toEqual(['a', 'b']);
    expect(await two.round()).toMatchObject({ released: 2, put: 1, isFull: false });
    for (const id of ['a', 'b', 'c']) graph.delete(id);
    expect(await two.round()).toMatchObject({ removed: 2 });
    expect(await graph.listTombstones(5)).toHaveLength(1);
  });

  it('takes out what was dropped, and does not forget it before', async () => {
    graph.add('a', EAST);
    graph.add('b', EAST, { userId: 'bob' });
    await relayOnce();
    graph.delete('a');
    graph.delete('b');
    server.otherwise(drops());
    await expect(relayOnce()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await graph.listTombstones(5)).toHaveLength(2);
    server.otherwise(serves());
    expect(await relayOnce()).toMatchObject({ removed: 2 });
    expect(await graph.listTombstones(5)).toEqual([]);
    expect([...stored('ann'), ...stored('bob')]).toEqual([]);
  });

  it('may be broken off and repeated', async () => {
    graph.add('a', EAST);
    const caller = new AbortController();
    const reason = new Error('shutting down');
    server.script(serves(), (request, response, serve) => {
      serve(request, response);
      caller.abort(reason);
    });
    await expect(relayOnce(caller.signal)).rejects.toBe(reason);
    server.script(losesAnswer());
    expect(await relayOnce()).toMatchObject({ released: 1 });
    expect(graph.heldIds()).toEqual([]);
  });

  it('leaves nothing of a memory that was deleted while its vector was put', async () => {
    graph.add('a', EAST);
    server.script(serves(), (request, response, serve) => {
      graph.delete('a');
      serve(request, response);
    });
    await relayOnce();
    expect(stored()).toEqual([]);
    expect(await graph.listTombstones(5)).toEqual([]);
  });

  it('looks at a memory again whose put had no answer, and whose vector is another one by then', async () => {
    graph.add('a', EAST);
    const caller = new AbortController();
    server.script(serves(), (request, response, serve) => {
      serve(request, response);
      caller.abort(new Error('no answer'));
    });
    await expect(relayOnce(caller.signal)).rejects.toThrow('no answer');
    graph.change('a', {});
    graph.release('a');
    expect(await relayOnce()).toMatchObject({ reembedded: 1 });
    await relayOnce();
    expect(await relayOnce()).toMatchObject({ released: 1 });
    expect(await nearest(NORTH)).toEqual([{ id: 'a', score: expect.closeTo(1, 5) }]);
  });

  it('tries again where a vector cannot be made', async () => {
    graph.add('a', EAST);
    let attempts = 0;
    const failing = createVectorRelay({
      graph,
      index,
      limit: 100,
      reembed: async (vectors) => {
        attempts += 1;
        if (attempts === 1) throw new Error('no embedder');
        return reembed(vectors);
      },
    });
    server.script(serves(), (request, response, serve) => {
      graph.change('a', {});
      graph.release('a');
      serve(request, response);
    });
    await expect(failing.round()).rejects.toThrow('no embedder');
    expect(await failing.round()).toMatchObject({ reembedded: 1 });
    expect(await failing.round()).toMatchObject({ put: 1, reembedded: 0 });
    expect(await failing.round()).toMatchObject({ released: 1 });
  });

  describe('by two processes at once', () => {
    let other: VectorIndex;
    let second: VectorRelay;

    beforeEach(async () => {
      other = pineconeIndexAt(server);
      await other.ping();
      second = relayFor(other);
    });

    afterEach(() => other.close());

    it('ends with all vectors in the index and none held', async () => {
      for (let at = 0; at < 300; at += 1) graph.add(`m${at}`, unit(1, at, 0));
      const relays = [relayFor(index, 200), relayFor(other, 200)];
      for (let round = 0; round < 4; round += 1) await Promise.all(relays.map((one) => one.round()));
      expect(graph.heldIds()).toEqual([]);
      expect(stored()).toHaveLength(300);
    });

    it('leaves nothing of a memory that the other took out before a put arrived', async () => {
      graph.add('a', EAST);
      const late = holdBack();
      server.script(serves(), late.behaviour);
      const first = relayOnce();
      await waitFor(() => late.waiting(), { what: 'the put to be on its way' });
      graph.delete('a');
      await second.round();
      expect(await graph.listTombstones(5)).toEqual([]);
      late.letGo();
      await first;
      expect(stored()).toEqual([]);
    });

    it('makes a vector again whose newer one the other had put and released before a put arrived', async () => {
      graph.add('a', EAST);
      const late = holdBack();
      server.script(serves(), late.behaviour);
      const first = relayOnce();
      await waitFor(() => late.waiting(), { what: 'the put to be on its way' });
      graph.change('a', {}, NORTH);
      await second.round();
      expect(await second.round()).toMatchObject({ released: 1 });
      // A late write is also shown late, so the index still shows the vector that it will lose.
      server.hold();
      late.letGo();
      expect(await first).toMatchObject({ reembedded: 1 });
      expect(await second.round()).toMatchObject({ released: 0, put: 1 });
      server.release();
      expect(await relayOnce()).toMatchObject({ released: 1, reembedded: 0 });
      expect(await nearest(NORTH)).toEqual([{ id: 'a', score: expect.closeTo(1, 5) }]);
    });
  });

  const nearest = (vector: Float32Array) =>
    index.search({ userId: 'ann', kind: 'semantic', spaceId: 1, vector, limit: 1 });
});

/** A request that arrives when the test says so. */
function holdBack(): { behaviour: Behaviour; waiting(): boolean; letGo(): void } {
  let letGo: (() => void) | undefined;
  return {
    behaviour: async (request, response, serve) => {
      await new Promise<void>((resolve) => (letGo = resolve));
      serve(request, response);
    },
    waiting: () => letGo !== undefined,
    letGo: () => letGo?.(),
  };
}
