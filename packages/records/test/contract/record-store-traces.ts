import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { DOWNSTREAM, UPSTREAM, ignoringLots } from '../../domain/trace/direction';
import { follow, type Passage, type Start } from '../../domain/trace/follow';
import type { Movement } from '../../stores/record';
import type { GoodsAt, RecordStore } from '../../stores/record-store';
import { followSlowly } from './support/follow-slowly';
import type { RecordStoreHarness } from './support/record-harness';
import { add, day, facility, shipment, type Way } from './support/records';

const PLACES = ['a', 'b', 'c', 'd', 'e'];
const LOTS = ['L1', 'L2', 'L3'];

export function describeRecordTraces(harness: () => RecordStoreHarness): void {
  describe('traces', () => {
    let store: RecordStore;
    beforeEach(async () => {
      store = harness().connect();
      await add(store, ...PLACES.map((id) => facility(id)));
    });

    const ways = async (drawn: Readonly<Record<string, Way>>): Promise<void> => {
      await add(store, ...Object.entries(drawn).map(([id, way]) => shipment(id, way)));
    };
    const goods = (facilityId: string, days: number, lot: string | null = null): GoodsAt => ({
      facilityId,
      lot,
      at: day(days),
    });

    async function downstream(from: GoodsAt, options: { maxHops?: number; maxShipments?: number } = {}) {
      const start = { goods: [from], shipments: [] };
      const bounds = { maxHops: 10, maxShipments: 100, ...options };
      const { shipments, truncated } = await follow(store, start, { direction: DOWNSTREAM, ...bounds });
      return {
        ids: shipments.map(({ movement }) => movement.id),
        hops: shipments.map(({ hops }) => hops),
        truncated,
      };
    }

    it('goes on with what leaves after the goods arrived, and not before', async () => {
      await ways({
        early: { from: 'a', to: 'b', left: 1, arrived: 2 },
        first: { from: 'a', to: 'b', left: 5, arrived: 7 },
        before: { from: 'b', to: 'c', left: 6, arrived: 8 },
        same: { from: 'b', to: 'd', left: 7, arrived: 8 },
        after: { from: 'b', to: 'c', left: 9, arrived: 10 },
      });
      expect((await downstream(goods('a', 5))).ids).toEqual(['first', 'same', 'after']);
      expect((await downstream(goods('a', 5.1))).ids).toEqual([]);
    });

    it('keeps to lots, through processing and unknown ones', async () => {
      await ways({
        s1: { from: 'a', to: 'b', left: 1, arrived: 2, items: [{ lot: 'L1' }, { lot: 'L2' }] },
        other: { from: 'b', to: 'c', left: 3, arrived: 4, items: [{ lot: 'L2' }] },
        same: { from: 'b', to: 'c', left: 3, arrived: 4, items: [{ lot: 'L1' }] },
        made: { from: 'b', to: 'd', left: 3, arrived: 4, items: [{ lot: 'M', sourceLots: ['L1', 'L3'] }] },
        unknown: { from: 'b', to: 'e', left: 4, arrived: 5, items: [{}] },
        next: { from: 'd', to: 'e', left: 5, arrived: 6, items: [{ lot: 'M' }] },
        not: { from: 'd', to: 'e', left: 5, arrived: 6, items: [{ lot: 'L1' }] },
      });
      expect((await downstream(goods('a', 0, 'L1'))).ids.sort()).toEqual([
        'made',
        'next',
        's1',
        'same',
        'unknown',
      ]);
    });

    it('says for each item of a shipment on which path it was reached', async () => {
      const now = { left: 1, arrived: 1 };
      await ways({
        twice: { from: 'a', to: 'b', ...now, items: [{ lot: 'L1' }, { lot: 'L2' }] },
        back: { from: 'b', to: 'a', ...now, items: [{ lot: 'L2', sourceLots: ['L1'] }] },
        last: { from: 'b', to: 'c', ...now, items: [{ lot: 'L3', sourceLots: ['L2'] }] },
      });
      const start = { goods: [goods('a', 0, 'L1')], shipments: [] };
      const bounds = { maxHops: 10, maxShipments: 100 };
      const { shipments } = await follow(store, start, { direction: DOWNSTREAM, ...bounds });
      expect(shipments.map(({ movement }) => movement.id)).toEqual(['twice', 'back', 'last']);
      const last = shipments.at(-1)!;
      expect(pathTo(last).map(({ id }) => id)).toEqual(['last', 'twice', 'back', 'twice']);
      expectPath(last, false);
    });

    it('ends on a cycle, and is right where a way leads back in time', async () => {
      await ways({
        ab: { from: 'a', to: 'b', left: 1, arrived: 2 },
        bc: { from: 'b', to: 'c', left: 3, arrived: 4 },
        ca: { from: 'c', to: 'a', left: 5, arrived: 6 },
        again: { from: 'a', to: 'b', left: 7, arrived: 8 },
        past: { from: 'c', to: 'd', left: 2, arrived: 3 },
      });
      const { ids, hops } = await downstream(goods('b', 0));
      expect(ids).toEqual(['bc', 'ca', 'again']);
      expect(hops).toEqual([1, 2, 3]);
    });

    it('is bounded by hops and by the number of shipments, and says so', async () => {
      const chain = { ab: ['a', 'b'], bc: ['b', 'c'], cd: ['c', 'd'], de: ['d', 'e'] };
      await ways(
        Object.fromEntries(
          Object.entries(chain).map(([id, [from, to]], n) => [
            id,
            { from: from!, to: to!, left: 2 * n, arrived: 2 * n + 1 },
          ]),
        ),
      );
      expect(await downstream(goods('a', 0), { maxHops: 2 })).toMatchObject({
        ids: ['ab', 'bc'],
        truncated: true,
      });
      expect((await downstream(goods('a', 0), { maxHops: 4 })).truncated).toBe(false);
      expect(await downstream(goods('a', 0), { maxShipments: 3 })).toMatchObject({
        ids: ['ab', 'bc', 'cd'],
        truncated: true,
      });
    });

    it('follows no goods that were rejected or never left', async () => {
      await add(
        store,
        shipment('rejected', { from: 'a', to: 'b', left: 1, arrived: 2, status: 'rejected' }),
        shipment('cancelled', { from: 'a', to: 'c', left: 1, arrived: 2, status: 'cancelled' }),
        shipment('behind', { from: 'b', to: 'd', left: 3, arrived: 4 }),
        shipment('not', { from: 'c', to: 'd', left: 3, arrived: 4 }),
      );
      expect((await downstream(goods('a', 0))).ids).toEqual(['rejected']);
      const start = { goods: [goods('d', 9)], shipments: [] };
      const back = await follow(store, start, { direction: UPSTREAM, maxHops: 10, maxShipments: 100 });
      expect(back.shipments.map(({ movement }) => movement.id).sort()).toEqual(['behind', 'not']);
    });

    it('goes the ways that there are now', async () => {
      const way = { from: 'a', to: 'b', left: 1, arrived: 2, items: [{ lot: 'L1' }] };
      await ways({ s: way });
      const moved = shipment('s', { ...way, from: 'c', items: [{ lot: 'L2' }] });
      await store.write([{ type: 'put', record: moved, ifVersion: 1 }]);
      expect((await downstream(goods('a', 0))).ids).toEqual([]);
      expect((await downstream(goods('c', 0, 'L1'))).ids).toEqual([]);
      expect((await downstream(goods('c', 0, 'L2'))).ids).toEqual(['s']);
      await store.write([{ type: 'delete', collection: 'shipments', id: 's', ifVersion: 2 }]);
      expect((await downstream(goods('c', 0, 'L2'))).ids).toEqual([]);
    });

    const item = fc.record(
      {
        lot: fc.constantFrom(...LOTS),
        sourceLots: fc.uniqueArray(fc.constantFrom(...LOTS), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    const way = fc
      .record({
        ends: fc.uniqueArray(fc.constantFrom(...PLACES), { minLength: 2, maxLength: 2 }),
        left: fc.integer({ min: 0, max: 12 }),
        takes: fc.integer({ min: 0, max: 3 }),
        items: fc.array(item, { minLength: 1, maxLength: 2 }),
        status: fc.constantFrom('delivered', 'delivered', 'delivered', 'rejected', 'cancelled'),
      })
      .map(({ ends, left, takes, ...rest }): Way => {
        const [from, to] = ends as [string, string];
        return { from, to, left, arrived: left + takes, ...rest };
      });
    const question = fc.record({
      place: fc.constantFrom(...PLACES),
      lot: fc.option(fc.constantFrom(...LOTS)),
      /** Counted from the beginning of the period of all shipments, or from its end. */
      days: fc.integer({ min: 0, max: 5 }),
      inShipment: fc.boolean(),
      isUpstream: fc.boolean(),
      matchLots: fc.boolean(),
      maxHops: fc.integer({ min: 1, max: 5 }),
      from: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
      to: fc.option(fc.integer({ min: 6, max: 12 }), { nil: undefined }),
    });

    it('reaches what a slow walk over all pairs of shipments reaches', async () => {
      let reached = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(way, { minLength: 10, maxLength: 30 }),
          fc.array(question, { minLength: 1, maxLength: 6 }),
          async (drawn, questions) => {
            const all = drawn.map((one, n) => shipment(`s${n}`, one));
            await add(store, ...all);
            const movements = all
              .map(({ movement }) => movement)
              .filter((one): one is Movement => one !== null);
            try {
              for (const asked of questions) {
                const { place, days, isUpstream, matchLots, maxHops } = asked;
                const lot = matchLots ? asked.lot : null;
                const first = movements[0];
                const start: Start =
                  asked.inShipment && first !== undefined
                    ? { goods: [], shipments: [{ movement: first, items: [0] }] }
                    : { goods: [goods(place, isUpstream ? 14 - days : days, lot)], shipments: [] };
                const bounds = {
                  maxHops,
                  from: asked.from === undefined ? undefined : day(asked.from),
                  to: asked.to === undefined ? undefined : day(asked.to),
                };
                const found = await follow(store, start, {
                  direction: withLots(isUpstream ? UPSTREAM : DOWNSTREAM, matchLots),
                  maxShipments: 1_000,
                  ...bounds,
                });
                const rows = found.shipments.map(({ movement, hops, items }) => [
                  movement.id,
                  { hops, items: [...items].sort() },
                ]);
                const wanted = followSlowly(movements, start, { isUpstream, matchLots, ...bounds });
                expect(Object.fromEntries(rows)).toEqual(wanted);
                const further = { isUpstream, matchLots, ...bounds, maxHops: maxHops + 1 };
                expect(found.truncated).toBe(
                  !isDeepStrictEqual(followSlowly(movements, start, further), wanted),
                );
                reached += rows.length;
                for (const one of found.shipments) expectPath(one, isUpstream);
              }
            } finally {
              await store.write(
                all.map(({ id }) => ({ type: 'delete', collection: 'shipments', id, ifVersion: 1 }) as const),
              );
            }
          },
        ),
        { numRuns: 60 },
      );
      expect(reached).toBeGreaterThan(100);
    });
  });
}

function withLots(direction: typeof DOWNSTREAM, matchLots: boolean): typeof DOWNSTREAM {
  return matchLots ? direction : ignoringLots(direction);
}

type Found = Awaited<ReturnType<typeof follow>>['shipments'][number];

/** From the last shipment back to the start. */
function pathTo(last: Passage): Movement[] {
  const path: Movement[] = [];
  for (let one: Passage | undefined = last; one !== undefined; one = one.behind?.by) path.push(one.movement);
  return path;
}

/** A chain of as many shipments as hops, each of which begins where and when the one before it ended. */
function expectPath(last: Found, isUpstream: boolean): void {
  const path = pathTo(last);
  expect(path).toHaveLength(last.hops);
  if (!isUpstream) path.reverse();
  path.slice(1).forEach((movement, n) => {
    const before = path[n]!;
    expect(before.destinationId).toBe(movement.originId);
    expect(before.arrival! <= movement.departure).toBe(true);
  });
}
