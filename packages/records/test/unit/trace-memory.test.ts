import { createTraces } from '../../domain/trace/create-traces';
import { add, facility, shipment } from '../contract/support/records';
import { openRecordStore } from '../support/record-store';

test('a trace has some of the records that it reads in memory at once, and shows all', async () => {
  const { store, close } = openRecordStore();
  const way = { from: 'a', to: 'b', left: 1, arrived: 2, items: [{ lot: 'L' }] };
  const shipments = Array.from({ length: 450 }, (_, n) => shipment(`s-${n}`, way, { reference: `R-${n}` }));
  await add(store, facility('a'), facility('b'), ...shipments);
  const pages = jest.spyOn(store, 'page');
  const reads = jest.spyOn(store, 'getMany');
  const options = { direction: 'downstream', maxHops: 10, limit: 1_000, matchLots: true } as const;
  const { downstream } = await createTraces(store).lot('L', options);
  const references = downstream?.shipments.map(({ reference }) => reference);
  expect(new Set(references)).toEqual(new Set(shipments.map((_, n) => `R-${n}`)));
  expect(downstream).toMatchObject({ facilities: [{ id: 'b', name: 'Facility b' }], truncated: false });
  const read = [
    ...pages.mock.calls.map(([{ limit }]) => limit),
    ...reads.mock.calls.map(([, ids]) => ids.length),
  ];
  expect(Math.max(...read)).toBeLessThanOrEqual(200);
  await close();
});
