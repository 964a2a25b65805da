import { startAtShipment } from '../../../src/records/trace/starts';
import type { MovedItem } from '../../../src/stores/records/record';
import type { RecordStore } from '../../../src/stores/records/record-store';

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
