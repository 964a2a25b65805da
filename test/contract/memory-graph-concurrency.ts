import { join } from 'node:path';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import { runTogether } from './support/child-process';
import { add, addAll, chain, episodic, scopeOf, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

const INSERT = join(__dirname, 'children', 'insert-memories.ts');

export function describeMemoryConcurrency(harness: () => MemoryGraphHarness): void {
  describe('several writers', () => {
    const graphs = (count: number): MemoryGraph[] => Array.from({ length: count }, () => harness().connect());

    it('lose none of 200 inserts into one session, and keep its order whole', async () => {
      const writers = graphs(4);
      const nodes = Array.from({ length: 200 }, () => episodic());
      await Promise.all(nodes.map((node, index) => add(writers[index % 4] as MemoryGraph, node)));
      const ids = nodes.map(({ id }) => id);
      const found = await chain(writers[0] as MemoryGraph, ids[0] ?? '');
      expect([...found].sort()).toEqual([...ids].sort());
      expect(await writers[1]?.count(scopeOf('episodic'))).toBe(200);
    });

    it('lose nothing from several processes', async () => {
      const { address } = harness();
      const args = [1, 2, 3, 4].map(() => ({ address, count: 50 }));
      const ids = ((await runTogether(INSERT, args)) as string[][]).flat();
      const found = await chain(harness().connect(), ids[0] ?? '');
      expect([...found].sort()).toEqual([...ids].sort());
    });

    it('keep the order whole while memories are inserted, moved and deleted everywhere in it', async () => {
      const writers = graphs(3);
      const [first] = writers as [MemoryGraph];
      const fixed = await addAll(
        first,
        Array.from({ length: 4 }, () => episodic()),
      );
      const kept: string[] = [];
      const work = writers.map(async (writer, index) => {
        for (let round = 0; round < 12; round += 1) {
          const node = episodic();
          const anchor = fixed[(round + index) % fixed.length] ?? '';
          await add(writer, node, { placement: round % 2 === 0 ? { after: anchor } : { before: anchor } });
          if (round % 3 === 0) await writer.delete(node.id);
          else kept.push(node.id);
          const moved = fixed[(round * 2 + index) % fixed.length] ?? '';
          await writer.update(moved, { placement: {} });
        }
      });
      await Promise.all(work);
      const found = await chain(first, fixed[0] ?? '');
      expect([...found].sort()).toEqual([...fixed, ...kept].sort());
    });

    it('lose no update that names its revision', async () => {
      const writers = graphs(4);
      const node = semantic({ body: { number: 0 } });
      await add(writers[0] as MemoryGraph, node);
      const increment = async (writer: MemoryGraph): Promise<void> => {
        for (;;) {
          const found = await writer.get(node.id);
          const number = Number(found?.body['number']) + 1;
          const done = await writer.update(
            node.id,
            { body: { number } },
            { ifRevision: found?.revision ?? 0 },
          );
          if (done !== undefined) return;
        }
      };
      await Promise.all([...writers, ...writers, ...writers].map(increment));
      expect(await writers[0]?.get(node.id)).toMatchObject({ body: { number: 12 }, revision: 13 });
    });

    it('never go above a quota together', async () => {
      const writers = graphs(4);
      const attempts = Array.from({ length: 40 }, (_, index) =>
        (writers[index % 4] as MemoryGraph).insert({ node: episodic(), vector: null }, { quota: 25 }),
      );
      const results = await Promise.allSettled(attempts);
      const failures = results.filter((result) => result.status === 'rejected');
      expect(failures).toHaveLength(15);
      for (const { reason } of failures) {
        expect(reason).toMatchObject({ code: 'MEMORY_QUOTA', details: { kind: 'episodic', quota: 25 } });
      }
      const [graph] = writers as [MemoryGraph];
      expect(await graph.count(scopeOf('episodic'))).toBe(25);
      await graph.insert({ node: semantic(), vector: null }, { quota: 1 });
      await graph.insert({ node: episodic({ userId: 'bob' }), vector: null }, { quota: 1 });
      const more = graph.insert({ node: semantic(), vector: null }, { quota: 1 });
      await expect(more).rejects.toMatchObject({ code: 'MEMORY_QUOTA' });
    });

    it('count the memories of a user whose last memory is deleted meanwhile', async () => {
      const writers = graphs(4);
      const [graph] = writers as [MemoryGraph];
      for (let round = 0; round < 20; round += 1) {
        const kept = semantic();
        const work = writers.map(async (writer, index) => {
          if (index === 0) return add(writer, kept);
          const node = semantic();
          await add(writer, node);
          await writer.delete(node.id);
        });
        await Promise.all(work);
        // The list goes by the counts: a user without one would be missing.
        expect(await graph.listUsers('semantic', { limit: 10 })).toEqual([kept.userId]);
        await graph.delete(kept.id);
      }
    });

    it('take a repeat of an insert under way for one insert', async () => {
      const writers = graphs(4);
      const node = episodic();
      const results = await Promise.all(writers.map((writer) => add(writer, node)));
      for (const result of results) expect(result).toMatchObject({ ...node, revision: 1 });
      expect(await writers[0]?.count(scopeOf('episodic'))).toBe(1);
      expect(await chain(writers[0] as MemoryGraph, node.id)).toEqual([node.id]);
    });
  });
}
