import { ulid } from 'ulid';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import { TIME, add, chain, episodic, pinSpace, scopeOf, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'quote\' double" back\\slash',
  '%_*',
  '日本語',
  'e\u0301',
  '👩‍👩‍👧‍👦',
  '__proto__',
];

export function describeSingleMemories(harness: () => MemoryGraphHarness): void {
  describe('single memories', () => {
    let graph: MemoryGraph;
    beforeEach(() => {
      graph = harness().connect();
    });

    it('gives back what was inserted, from every process', async () => {
      const node = episodic({
        labels: ['b', 'B', 'a'],
        weight: 0.123456789,
        body: { content: 'x', nested: { list: [1, null, 'two'], empty: {} }, __proto__x: 1 },
      });
      const expected = { ...node, revision: 1, readCount: 0, readAt: null };
      expect(await add(graph, node)).toEqual(expected);
      expect(await graph.get(node.id)).toEqual(expected);
      expect(await harness().connect().get(node.id)).toEqual(expected);
      const fact = semantic({ timestamp: TIME, storedAt: TIME });
      await add(graph, fact);
      const late = episodic({ timestamp: -62_000_000_000_000, storedAt: TIME });
      await add(graph, late);
      await graph.update(late.id, { weight: 0.1 });
      expect(await harness().connect().get(late.id)).toMatchObject({ ...late, weight: 0.1 });
      expect(await graph.get(fact.id)).toEqual({ ...fact, revision: 1, readCount: 0, readAt: null });
    });

    it.each(ODD_TEXTS.map((text) => [JSON.stringify(text), text]))(
      'keeps %s as it is',
      async (_name, text) => {
        const named = text === '' ? 'u' : text;
        const node = episodic({
          text,
          userId: named,
          sessionId: named,
          labels: [named],
          body: { [text]: text },
        });
        await add(graph, node);
        expect(await graph.get(node.id)).toMatchObject(node);
        expect(
          await graph.list({ userId: named, kind: 'episodic', order: 'oldest-first', limit: 5 }),
        ).toHaveLength(1);
      },
    );

    it('keeps a hundred thousand characters', async () => {
      const long = 'größer als '.repeat(10_000);
      const node = episodic({ text: long, body: { long } });
      await add(graph, node);
      expect(await graph.get(node.id)).toMatchObject({ text: long, body: { long } });
    });

    it('knows nothing of ids that nobody inserted', async () => {
      for (const id of [ulid(), '', '__proto__', 'constructor', "'; --"]) {
        expect(await graph.get(id)).toBeUndefined();
        expect(await graph.update(id, { weight: 1 })).toBeUndefined();
        expect(await graph.delete(id)).toBeUndefined();
        expect(await graph.related(id)).toEqual([]);
        expect((await graph.getMany([id])).size).toBe(0);
      }
    });

    it('gets many, each once', async () => {
      const nodes = [episodic(), semantic(), episodic({ userId: 'bob' })];
      for (const node of nodes) await add(graph, node);
      const ids = nodes.map(({ id }) => id);
      const found = await graph.getMany([...ids, ids[0] ?? '', ulid()]);
      expect([...found.keys()].sort()).toEqual([...ids].sort());
      for (const node of nodes) expect(found.get(node.id)).toMatchObject(node);
      expect((await graph.getMany([])).size).toBe(0);
    });

    it('takes a repeated insert for done', async () => {
      const [first, second] = [episodic(), episodic()];
      await add(graph, first);
      await add(graph, second);
      const changed = await graph.update(first.id, { text: 'changed' });
      const repeat = await add(harness().connect(), first, { placement: { after: second.id } });
      expect(repeat).toEqual(changed);
      expect(await chain(graph, first.id)).toEqual([first.id, second.id]);
      expect(await graph.count(scopeOf('episodic'))).toBe(2);
      await graph.insert({ node: second, vector: null }, { quota: 1 });
    });

    it('gives no id to a second user or kind', async () => {
      const node = episodic();
      await add(graph, node);
      for (const other of [episodic({ id: node.id, userId: 'bob' }), semantic({ id: node.id })]) {
        await expect(add(graph, other)).rejects.toMatchObject({
          code: 'VALIDATION',
          details: { field: 'id' },
        });
      }
      expect(await graph.get(node.id)).toMatchObject(node);
    });

    it('updates what is given and keeps the rest', async () => {
      const node = episodic({ labels: ['x', 'y'], body: { a: 1, b: { c: 2 } } });
      await add(graph, node);
      expect(await graph.update(node.id, {})).toMatchObject({ ...node, revision: 2 });
      expect(await graph.update(node.id, { weight: 1 })).toMatchObject({ ...node, weight: 1, revision: 3 });
      const labels = ['y', 'z'];
      expect(await graph.update(node.id, { labels })).toMatchObject({ labels, weight: 1, revision: 4 });
      const change = { text: 'new', body: { only: true } };
      const updated = await graph.update(node.id, change);
      expect(updated).toEqual({
        ...node,
        ...change,
        labels,
        weight: 1,
        revision: 5,
        readCount: 0,
        readAt: null,
      });
      expect(await graph.get(node.id)).toEqual(updated);
      expect(await graph.update(node.id, { labels: [] })).toMatchObject({ labels: [] });
    });

    it('updates one revision only, where it is told to', async () => {
      const node = semantic();
      await add(graph, node);
      expect(await graph.update(node.id, { weight: 0.1 }, { ifRevision: 1 })).toMatchObject({ revision: 2 });
      expect(await graph.update(node.id, { weight: 0.2 }, { ifRevision: 1 })).toBeUndefined();
      expect(await graph.update(node.id, { weight: 0.2 }, { ifRevision: 3 })).toBeUndefined();
      expect(await graph.get(node.id)).toMatchObject({ weight: 0.1, revision: 2 });
    });

    it('deletes one revision only, where it is given', async () => {
      const node = semantic();
      await add(graph, node);
      await graph.update(node.id, { weight: 0.1 });
      for (const ifRevision of [1, 3]) expect(await graph.delete(node.id, { ifRevision })).toBeUndefined();
      expect(await graph.get(node.id)).toMatchObject({ weight: 0.1, revision: 2 });
      expect(await graph.delete(node.id, { ifRevision: 2 })).toMatchObject({ id: node.id, revision: 2 });
      expect(await graph.get(node.id)).toBeUndefined();
    });

    it('deletes once and says what was there', async () => {
      const vector = await pinSpace(graph);
      const node = episodic({ text: 'gone soon', labels: ['x'] });
      const inserted = await add(graph, node, { vector: vector(10) });
      expect(await harness().connect().delete(node.id)).toEqual(inserted);
      expect(await graph.delete(node.id)).toBeUndefined();
      expect(await graph.get(node.id)).toBeUndefined();
      expect(await graph.list({ ...scopeOf('episodic'), order: 'newest-first', limit: 5 })).toEqual([]);
      expect(await graph.searchText({ ...scopeOf('episodic'), text: 'gone', limit: 5 })).toEqual([]);
      const { spaceId, values } = vector(10);
      const query = { ...scopeOf('episodic'), spaceId, vector: values, limit: 5 };
      expect(await graph.searchVectors(query)).toEqual([]);
    });

    it('may be inserted again after a deletion', async () => {
      const node = episodic();
      await add(graph, node);
      await graph.update(node.id, { weight: 0.9 });
      await graph.delete(node.id);
      expect(await add(graph, node)).toMatchObject({ ...node, revision: 1 });
    });

    it('counts reads without a new revision', async () => {
      const [first, second] = [episodic(), semantic()];
      await add(graph, first);
      await add(graph, second);
      await graph.noteReads([
        { id: first.id, count: 2, at: TIME + 5 },
        { id: ulid(), count: 1, at: TIME },
        { id: second.id, count: 1, at: TIME + 7 },
      ]);
      await harness()
        .connect()
        .noteReads([{ id: first.id, count: 3, at: TIME + 1 }]);
      await graph.noteReads([]);
      expect(await graph.get(first.id)).toMatchObject({ readCount: 5, readAt: TIME + 5, revision: 1 });
      expect(await graph.get(second.id)).toMatchObject({ readCount: 1, readAt: TIME + 7, revision: 1 });
      expect(await graph.update(first.id, { weight: 0 })).toMatchObject({ readCount: 5, readAt: TIME + 5 });
    });

    it('answers a ping, and nothing once it is closed', async () => {
      await graph.ping();
      await graph.close();
      await graph.close();
      const closed = { code: 'STORE_UNAVAILABLE', retryable: true };
      await expect(graph.ping()).rejects.toMatchObject(closed);
      await expect(graph.get('x')).rejects.toMatchObject(closed);
      await expect(add(graph, episodic())).rejects.toMatchObject(closed);
      await expect(graph.searchText({ ...scopeOf('episodic'), text: 'a', limit: 1 })).rejects.toMatchObject(
        closed,
      );
    });
  });
}
