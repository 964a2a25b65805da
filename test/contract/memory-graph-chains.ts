import { ulid } from 'ulid';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { NewMemoryNode, Placement } from '../../src/stores/memory/node';
import { TIME, add, addAll, chain, episodic, refused, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

export function describeChains(harness: () => MemoryGraphHarness): void {
  describe('the order of a session', () => {
    let graph: MemoryGraph;
    let a: string, b: string, c: string;
    beforeEach(async () => {
      graph = harness().connect();
      [a, b, c] = (await addAll(graph, [episodic(), episodic(), episodic()])) as [string, string, string];
    });

    const insert = async (placement: Placement | undefined): Promise<string> => {
      const node = episodic();
      await add(graph, node, placement && { placement });
      return node.id;
    };

    it('is the order of insertion where nothing else is said, whatever the times', async () => {
      const early = episodic({ timestamp: 1 });
      await add(harness().connect(), early);
      const last = await insert({});
      expect(await chain(graph, b)).toEqual([a, b, c, early.id, last]);
    });

    it('is that of the times where a memory is placed by its time', async () => {
      let serial = 0;
      const at = async (time: number, placement: Placement = { byTime: true }): Promise<string> => {
        // Ids of one millisecond are in no order.
        const node = episodic({
          ...{ id: ulid((serial += 1)), sessionId: 'by time' },
          ...{ timestamp: TIME + time, storedAt: TIME + 99 },
        });
        await add(graph, node, { placement });
        return node.id;
      };
      const second = await at(20);
      const first = await at(-TIME - 5);
      const third = await at(20);
      const between = await at(10);
      const last = await at(50, {});
      const early = await at(0, {});
      expect(await chain(graph, second)).toEqual([first, between, second, third, last, early]);
      const beside = await at(0, { before: last, byTime: true });
      const late = await at(60);
      const expected = [first, between, second, third, beside, last, early, late];
      expect(await chain(graph, second)).toEqual(expected);
      await at(-20);
      await add(graph, episodic({ sessionId: 'other', timestamp: TIME + 5 }), {
        placement: { byTime: true },
      });
      expect((await chain(graph, second)).filter((id) => expected.includes(id))).toEqual(expected);
    });

    it('is that of the ids among memories of one time, as in lists', async () => {
      const nodes = [1, 2, 3].map((n) => episodic({ id: ulid(n), sessionId: 'one time', timestamp: TIME }));
      const [first, second, third] = nodes as [NewMemoryNode, NewMemoryNode, NewMemoryNode];
      const later = episodic({ sessionId: 'one time', timestamp: TIME + 1 });
      for (const node of [third, later, first, second])
        await add(graph, node, { placement: { byTime: true } });
      expect(await chain(graph, first.id)).toEqual([...nodes, later].map(({ id }) => id));
    });

    it('keeps sessions and users apart', async () => {
      const others = [
        episodic({ sessionId: 't' }),
        episodic({ userId: 'bob' }),
        episodic({ sessionId: 't' }),
        episodic({ userId: 'bob' }),
      ];
      const [t1, bob1, t2, bob2] = (await addAll(graph, others)) as [string, string, string, string];
      expect(await chain(graph, t1)).toEqual([t1, t2]);
      expect(await chain(graph, bob1)).toEqual([bob1, bob2]);
      expect(await chain(graph, a)).toEqual([a, b, c]);
    });

    it('takes a memory behind, before and between others', async () => {
      const behind = await insert({ after: a });
      const first = await insert({ before: a });
      const between = await insert({ after: b, before: c });
      const last = await insert({ after: c });
      const end = await insert(undefined);
      expect(await chain(graph, c)).toEqual([first, a, behind, b, between, c, last, end]);
    });

    it('refuses places that are none, and writes nothing', async () => {
      const elsewhere = episodic({ sessionId: 't' });
      const foreign = episodic({ userId: 'bob' });
      const fact = semantic();
      await addAll(graph, [elsewhere, foreign, fact]);
      const cases: [Placement, string][] = [
        [{ after: ulid() }, 'previous'],
        [{ before: ulid() }, 'next'],
        [{ after: elsewhere.id }, 'previous'],
        [{ before: foreign.id }, 'next'],
        [{ after: fact.id }, 'previous'],
        [{ after: a, before: c }, 'next'],
        [{ after: b, before: a }, 'next'],
        [{ after: a, before: a }, 'next'],
        [{ after: a, before: ulid() }, 'next'],
      ];
      for (const [placement, field] of cases)
        await expect(insert(placement)).rejects.toMatchObject(refused(field));
      const own = episodic();
      await expect(add(graph, own, { placement: { after: own.id } })).rejects.toMatchObject(
        refused('previous'),
      );
      await expect(add(graph, semantic(), { placement: { after: fact.id } })).rejects.toMatchObject(
        refused('previous'),
      );
      expect(await chain(graph, a)).toEqual([a, b, c]);
      expect(await graph.count({ userId: 'ann', kind: 'episodic' })).toBe(4);
    });

    it('closes the gap that a deletion leaves', async () => {
      const d = await insert(undefined);
      await graph.delete(b);
      expect(await chain(graph, a)).toEqual([a, c, d]);
      await graph.delete(a);
      expect(await chain(graph, c)).toEqual([c, d]);
      await graph.delete(d);
      expect(await chain(graph, c)).toEqual([c]);
      const e = await insert(undefined);
      expect(await chain(graph, c)).toEqual([c, e]);
      await graph.delete(c);
      await graph.delete(e);
      const f = await insert(undefined);
      expect(await chain(graph, f)).toEqual([f]);
    });

    it.each([
      ['to the front', (): [string, Placement] => [c, { before: a }], (): string[] => [c, a, b]],
      ['to the end', (): [string, Placement] => [a, {}], (): string[] => [b, c, a]],
      ['behind the last', (): [string, Placement] => [a, { after: c }], (): string[] => [b, c, a]],
      ['to the middle', (): [string, Placement] => [a, { after: b, before: c }], (): string[] => [b, a, c]],
      ['nowhere, by one neighbour', (): [string, Placement] => [b, { after: a }], (): string[] => [a, b, c]],
      [
        'nowhere, by both',
        (): [string, Placement] => [b, { after: a, before: c }],
        (): string[] => [a, b, c],
      ],
      ['nowhere, being last', (): [string, Placement] => [c, {}], (): string[] => [a, b, c]],
    ])('moves a memory %s', async (_where, move, expected) => {
      const [id, placement] = move();
      expect(await graph.update(id, { placement })).toMatchObject({ id, revision: 2 });
      expect(await chain(graph, b)).toEqual(expected());
      const last = await insert(undefined);
      expect(await chain(graph, b)).toEqual([...expected(), last]);
    });

    it('refuses moves to places that are none, and changes nothing', async () => {
      const fact = semantic();
      await add(graph, fact);
      const cases: [string, Placement, string][] = [
        [a, { after: a }, 'previous'],
        [a, { before: a }, 'next'],
        [a, { after: ulid() }, 'previous'],
        [a, { after: c, before: b }, 'next'],
        [b, { after: c, before: a }, 'next'],
        [fact.id, { after: a }, 'previous'],
      ];
      for (const [id, placement, field] of cases) {
        const change = { placement, weight: 0.99, text: 'changed' };
        await expect(graph.update(id, change)).rejects.toMatchObject(refused(field));
      }
      expect(await chain(graph, b)).toEqual([a, b, c]);
      expect((await graph.getMany([a, b, c, fact.id])).get(a)).toMatchObject({ revision: 1, weight: 0.5 });
    });

    it('tells the neighbours of several', async () => {
      const alone = episodic({ sessionId: 'alone' });
      await add(graph, alone);
      const found = await graph.relatedOfMany([a, b, alone.id, ulid()]);
      expect([...found.keys()].sort()).toEqual([a, b].sort());
      expect(found.get(a)).toEqual([{ id: b, relationship: 'next' }]);
      expect(found.get(b)).toEqual([
        { id: a, relationship: 'previous' },
        { id: c, relationship: 'next' },
      ]);
    });
  });

  describe('the neighbours of memories', () => {
    let graph: MemoryGraph;
    let a: string, b: string, c: string;
    beforeEach(async () => {
      graph = harness().connect();
      [a, b, c] = (await addAll(graph, [episodic(), episodic(), episodic()])) as [string, string, string];
    });

    it('are those before and after each in its session', async () => {
      const others = [episodic({ sessionId: 't' }), episodic({ sessionId: 't' })];
      const [first, last] = (await addAll(graph, others)) as [string, string];
      expect(await graph.neighbours([a, b, c, first, last])).toEqual(
        new Map([
          [a, { next: b }],
          [b, { previous: a, next: c }],
          [c, { previous: b }],
          [first, { next: last }],
          [last, { previous: first }],
        ]),
      );
      expect(await graph.neighbours([c])).toEqual(new Map([[c, { previous: b }]]));
    });

    it('are not told of a memory that is alone, of an unknown one and of a semantic one', async () => {
      const alone = episodic({ sessionId: 'alone' });
      const foreign = episodic({ userId: 'bob' });
      const facts = [semantic(), semantic()] as const;
      await addAll(graph, [alone, foreign, ...facts]);
      await add(graph, semantic(), { relations: [{ type: 'similar', direction: 'out', id: facts[0].id }] });
      const ids = [alone.id, foreign.id, ulid(), '', ...facts.map(({ id }) => id)];
      expect(await graph.neighbours(ids)).toEqual(new Map());
      expect(await graph.neighbours([...ids, a])).toEqual(new Map([[a, { next: b }]]));
    });

    it('are none of no memories, and are told once of a memory that is asked for twice', async () => {
      expect(await graph.neighbours([])).toEqual(new Map());
      expect(await graph.neighbours([b, b])).toEqual(new Map([[b, { previous: a, next: c }]]));
    });

    it('are the nearest that are left after a deletion', async () => {
      await graph.delete(b);
      expect(await graph.neighbours([a, b, c])).toEqual(
        new Map([
          [a, { next: c }],
          [c, { previous: a }],
        ]),
      );
      await graph.delete(a);
      expect(await graph.neighbours([a, b, c])).toEqual(new Map());
    });

    it('follow a memory that moves', async () => {
      await graph.update(a, { placement: { after: b, before: c } });
      expect(await harness().connect().neighbours([a, b, c])).toEqual(
        new Map([
          [b, { next: a }],
          [a, { previous: b, next: c }],
          [c, { previous: a }],
        ]),
      );
    });
  });
}
