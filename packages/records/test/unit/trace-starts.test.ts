import type { Contaminant } from '../../contracts/contaminants';
import { startAtDetections, startAtShipment } from '../../domain/trace/starts';
import type { MovedItem } from '../../stores/record';
import type { RecordStore } from '../../stores/record-store';
import { add, day, facility, shipment } from '../contract/support/records';
import { type OpenRecordStore, openRecordStore } from '../support/record-store';

const item = (lot: string | null, ...sourceLots: string[]): MovedItem => ({ lot, sourceLots });

test.each([
  ['made of it', [item('B', 'A'), item('C')], [0], [0]],
  ['it and made of it', [item('A'), item('B', 'A'), item('C')], [0, 1], [0]],
  ['unknown', [item(null), item('C')], [0], [0]],
  ['others', [item('B'), item('C', 'D')], [0, 1], [0, 1]],
])('a lot found in a shipment with %s', async (_what, items, downstream, upstream) => {
  const at = '2026-01-01T00:00:00.000Z';
  const movement = { id: 's', originId: 'a', destinationId: 'b', departure: at, arrival: at, items };
  const store = { movements: () => Promise.resolve([movement]) } as unknown as RecordStore;
  const starts = await startAtShipment(store, 's', 'A');
  expect(starts.downstream.shipments[0]?.items).toEqual(downstream);
  expect(starts.upstream.shipments[0]?.items).toEqual(upstream);
});

describe('detections of a contaminant', () => {
  let opened: OpenRecordStore;
  let store: RecordStore;
  beforeEach(() => {
    opened = openRecordStore();
    ({ store } = opened);
  });
  afterEach(() => opened.close());

  const start = (limit: number, ...detections: Partial<Contaminant['detections'][number]>[]) =>
    startAtDetections(
      store,
      { detections: detections.map((one) => ({ detectedAt: day(9), ...one })) } as Contaminant,
      { limit },
    );
  const way = { from: 'a', to: 'b', left: 1, arrived: 2 };

  test('begin at all their places: facilities, shipments, and lots wherever they were', async () => {
    await add(
      store,
      facility('a'),
      facility('b'),
      shipment('own', { ...way, items: [{ lot: 'A' }, { lot: 'C' }, { lot: 'B' }] }),
      shipment('made', { ...way, items: [{ lot: 'D', sourceLots: ['B', 'C'] }] }),
      shipment('found', { ...way, items: [{ lot: 'E' }, { lot: 'F' }] }),
      shipment('other', { ...way, items: [{ lot: 'C' }] }),
    );
    const { downstream, upstream } = await start(
      10,
      { lot: 'A' },
      { shipmentId: 'found', lot: 'F' },
      { facilityId: 'b', lot: 'G', presentSince: day(3) },
      { lot: 'B' },
      { lot: 'A' },
      { shipmentId: 'gone', lot: 'C' },
    );
    const found = ({ shipments }: typeof downstream) =>
      Object.fromEntries(shipments.map(({ movement, items }) => [movement.id, items]));
    expect(found(downstream)).toEqual({ own: [0, 2], made: [0], found: [1] });
    expect(found(upstream)).toEqual({ own: [0, 2], found: [1] });
    expect(downstream.goods).toEqual([{ facilityId: 'b', lot: 'G', at: day(3) }]);
    expect(upstream.goods).toEqual([{ facilityId: 'b', lot: 'G', at: day(9) }]);
  });

  test('read no more shipments than a trace may have, however many detections there are', async () => {
    const lots = Array.from({ length: 100 }, (_, n) => `lot-${n}`);
    const items = lots.map((lot) => ({ lot, sourceLots: [`${lot}-source`] }));
    const ids = Array.from({ length: 30 }, (_, n) => `s-${n}`);
    await add(store, facility('a'), facility('b'), ...ids.map((id) => shipment(id, { ...way, items })));
    const read = jest.spyOn(store, 'movements');
    const detections = lots.flatMap((lot) => [
      { lot },
      { lot: `${lot}-source` },
      { shipmentId: 's-1', lot },
      { shipmentId: 's-2', lot },
    ]);
    const { downstream } = await start(20, ...detections);
    expect(new Set(downstream.shipments.map(({ movement }) => movement)).size).toBeLessThanOrEqual(
      2 * 21 + 2,
    );
    expect(read.mock.calls.flat(2).length).toBeLessThanOrEqual(2 * 21 + 2);
  });
});
