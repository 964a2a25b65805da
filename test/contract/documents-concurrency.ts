import { join } from 'node:path';
import { CONFLICT, untilNoConflict } from '../../src/stores/compare-and-set';
import type { DocumentStore } from '../../src/stores/documents';
import type { DocumentStoreHarness } from './support/harness';
import { runTogether } from './support/child-process';
import { del, put } from './support/writes';

const INCREMENT = join(__dirname, 'children', 'increment.ts');

export function describeConcurrency(harness: () => DocumentStoreHarness): void {
  describe('several writers', () => {
    const increment = (store: DocumentStore): Promise<void> =>
      untilNoConflict('the number', async () => {
        const found = await store.get<number>('c', 'shared');
        const next = put('shared', (found?.value ?? 0) + 1, { ifVersion: found?.version ?? 0 });
        return (await store.write([next], { durability: 'process' })) ? undefined : CONFLICT;
      });

    it('lets one of many first writers through', async () => {
      const stores = Array.from({ length: 5 }, () => harness().connect());
      const won = await Promise.all(
        stores.map((store, index) => store.write([put('k', index, { ifVersion: 0 })])),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await stores[0]?.get('c', 'k')).toEqual({ key: 'k', value: won.indexOf(true), version: 1 });
    });

    it('loses no increment of one store', async () => {
      const store = harness().connect();
      await Promise.all(Array.from({ length: 20 }, () => increment(store)));
      expect(await store.get('c', 'shared')).toEqual({ key: 'shared', value: 20, version: 20 });
    });

    it('loses no increment of several stores', async () => {
      const stores = Array.from({ length: 4 }, () => harness().connect());
      const work = stores.map(async (store) => {
        for (let done = 0; done < 25; done += 1) await increment(store);
      });
      await Promise.all(work);
      expect((await stores[0]?.get('c', 'shared'))?.value).toBe(100);
    });

    it('loses no increment of several processes', async () => {
      const { address } = harness();
      await runTogether(
        INCREMENT,
        [1, 2, 3, 4].map(() => ({ address, times: 50 })),
      );
      const found = await harness().connect().get('counters', 'shared');
      expect(found).toEqual({ key: 'shared', value: 200, version: 200 });
    });

    it('shows a batch whole or not at all', async () => {
      const [writer, ...readers] = Array.from({ length: 4 }, () => harness().connect());
      let writing = true;
      const write = async (): Promise<void> => {
        // The value is so long that some adapters store it apart from its version.
        const value = (round: number) => ({ round, filler: '.'.repeat(200) });
        for (let round = 1; round <= 300; round += 1)
          await writer?.write([put('a', value(round)), put('b', value(round))]);
        writing = false;
      };
      const read = async (reader: DocumentStore): Promise<void> => {
        while (writing) {
          const found = await reader.getMany<{ round: number }>('c', ['a', 'b']);
          const [a, b] = [found.get('a'), found.get('b')];
          expect([b?.value, b?.version]).toEqual([a?.value, a?.version]);
          expect(a?.value.round).toBe(a?.version);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await Promise.all([write(), ...readers.map(read)]);
    });

    it.each([100, 5_000, 60_000])('shows each document whole, of %i characters', async (length) => {
      const [writer, ...readers] = Array.from({ length: 3 }, () => harness().connect());
      let writing = true;
      const write = async (): Promise<void> => {
        // Each write changes the whole value and its length, so that a partial read would be noticed.
        for (let round = 1; round <= 100; round += 1) {
          const text = String.fromCharCode(97 + (round % 26)).repeat(length + (round % 7) * 40);
          await writer?.write([put('whole', { round, text, end: round }), put('beside', text)]);
        }
        writing = false;
      };
      const read = async (reader: DocumentStore): Promise<void> => {
        let latest = 0;
        while (writing) {
          const found = await reader.get<{ round: number; text: string; end: number }>('c', 'whole');
          if (found !== undefined) {
            const { round, text, end } = found.value;
            const isWhole = text === String.fromCharCode(97 + (round % 26)).repeat(length + (round % 7) * 40);
            expect([isWhole, end, found.version]).toEqual([true, round, round]);
            // A reader never sees an older value after a newer one.
            expect(round).toBeGreaterThanOrEqual(latest);
            latest = round;
          }
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await Promise.all([write(), ...readers.map(read)]);
    });

    it('has written a batch whole where one of its documents is read together with others', async () => {
      const [writer, ...readers] = Array.from({ length: 3 }, () => harness().connect());
      let writing = true;
      const write = async (): Promise<void> => {
        for (let round = 1; round <= 200; round += 1) await writer?.write([put('a', round), put('b', round)]);
        writing = false;
      };
      const read = async (reader: DocumentStore): Promise<void> => {
        while (writing) {
          for (const [first, second] of [['a', 'b'] as const, ['b', 'a'] as const]) {
            const version = (await reader.getMany('c', [first])).get(first)?.version ?? 0;
            expect((await reader.get('c', second))?.version ?? 0).toBeGreaterThanOrEqual(version);
          }
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await Promise.all([write(), ...readers.map(read)]);
    });

    it('keeps puts and deletions of the same documents apart', async () => {
      const stores = Array.from({ length: 4 }, () => harness().connect());
      // Only the last writes of a batch show whether a put was lost, so there are many short batches.
      for (let batch = 0; batch < 40; batch += 1) {
        const work = stores.map(async (store, index) => {
          for (let round = 0; round < 3; round += 1) {
            const [here, there] = round % 2 === index % 2 ? ['a', 'b'] : ['b', 'a'];
            await store.write([put(here, index), del(there)]);
          }
        });
        await Promise.all(work);
        expect(await stores[0]?.list('c')).toHaveLength(1);
      }
    });
  });
}
