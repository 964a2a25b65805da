import { setImmediate as nextIteration } from 'node:timers/promises';
import { UPSTREAM } from '../../domain/trace/direction';
import { follow } from '../../domain/trace/follow';
import type { MovedItem, Movement } from '../../stores/record';
import type { RecordStore } from '../../stores/record-store';

const MADE = 100;
const SOURCES = 20;
const FEEDING = 200;

const lot = (made: number, source: number): string => `${made}-${source}`;

function movement(id: string, from: string, to: string, day: number, items: MovedItem[]): Movement {
  const at = (hour: number): string => `2026-01-0${day}T0${hour}:00:00.000Z`;
  return { id, originId: from, destinationId: to, departure: at(1), arrival: at(2), items };
}

const ITEMS = Array.from({ length: MADE }, (_, made) => made);
const LAST = movement(
  'last',
  'factory',
  'shop',
  5,
  ITEMS.map((made) => ({
    lot: `made-${made}`,
    sourceLots: Array.from({ length: SOURCES }, (_, source) => lot(made, source)),
  })),
);
const FEEDS = Array.from({ length: FEEDING }, (_, feed) =>
  movement(
    `feed-${feed}`,
    'farm',
    'factory',
    1,
    ITEMS.map((made) => ({ lot: lot(made, feed % SOURCES), sourceLots: [] })),
  ),
);
const STORE: Pick<RecordStore, 'arrivals'> = {
  arrivals: (goods) => Promise.resolve(goods.some(({ facilityId }) => facilityId === 'factory') ? FEEDS : []),
};

/** Traces what one shipment of 100 goods, each made of 20 lots, was made of, and counts comparisons with goods reached. */
async function trace(maxHops: number) {
  let comparisons = 0;
  const direction = {
    ...UPSTREAM,
    takes: (at: string, one: Movement) => {
      comparisons += 1;
      return UPSTREAM.takes(at, one);
    },
  };
  const start = { goods: [], shipments: [{ movement: LAST, items: ITEMS }] };
  const found = await follow(STORE as RecordStore, start, { direction, maxHops, maxShipments: 10_000 });
  return { ...found, comparisons };
}

test('the work of a step is as much as it reads, however many goods it follows', async () => {
  const { shipments, truncated, comparisons } = await trace(2);
  expect([shipments.length, truncated]).toEqual([1 + FEEDING, false]);
  expect(shipments.at(-1)?.items.size).toBe(MADE);
  // Each item that was read is compared with the goods of its lot.
  expect(comparisons).toBeLessThanOrEqual(2 * FEEDING * MADE);
});

test('the step that finds out whether a trace is truncated ends at the first shipment that is left out', async () => {
  const { shipments, truncated, comparisons } = await trace(1);
  expect([shipments.length, truncated]).toEqual([1, true]);
  expect(comparisons).toBeLessThanOrEqual(2 * MADE);
});

test('a long trace lets other work of the process run', async () => {
  let iterations = 0;
  let ended = false;
  const others = (async () => {
    for (; !ended; await nextIteration()) iterations += 1;
  })();
  await trace(2);
  ended = true;
  await others;
  expect(iterations).toBeGreaterThan(2);
});
