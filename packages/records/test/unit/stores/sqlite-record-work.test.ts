import { add, day, facility, shipment } from '../../contract/support/records';
import { countLoopIterations } from '../../../../../test/support/loop-iterations';
import { openRecordStore } from '../../support/record-store';

test('movements of a busy facility are read in parts, between which the process can do other work', async () => {
  const { store, close } = openRecordStore();
  const way = { from: 'a', to: 'b', left: 1, arrived: 2 };
  const shipments = Array.from({ length: 1_000 }, (_, n) => shipment(`s-${n}`, way));
  await add(store, facility('a'), facility('b'), ...shipments);
  const goods = [{ facilityId: 'a', lot: null, at: day(0) }];
  const iterations = await countLoopIterations(async () => {
    expect(await store.departures(goods, { limit: 900 })).toHaveLength(900);
  });
  expect(iterations).toBeGreaterThan(3);
  await close();
});
