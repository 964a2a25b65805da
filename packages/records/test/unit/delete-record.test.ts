import { deleteRecord, MAX_CASCADED } from '../../domain/delete-record';
import type { RecordStore } from '../../stores/record-store';
import { add, day, facility, record, shipment } from '../contract/support/records';
import { type OpenRecordStore, openRecordStore } from '../support/record-store';

let opened: OpenRecordStore;
let store: RecordStore;
beforeEach(() => {
  opened = openRecordStore();
  ({ store } = opened);
});
afterEach(() => opened.close());

const INSPECTION = { facilityId: 'a', inspector: { name: 'I' }, inspectedAt: day(1), result: 'passed' };

test('as many records go at once as one transaction takes, however often they refer to it', async () => {
  const detections = Array.from({ length: 700 }, () => ({ facilityId: 'a', detectedAt: day(1) }));
  const [kept] = await add(
    store,
    facility('a'),
    record('contaminants', 'lead', { name: 'Lead', class: 'chemical', unit: 'mg/kg', detections }),
    ...Array.from({ length: MAX_CASCADED - 1 }, (_, n) => record('inspections', `i-${n}`, INSPECTION)),
  );
  const remove = () => deleteRecord(store, kept!, { cascade: true, now: day(2) });
  await expect(remove()).rejects.toMatchObject({ code: 'RECORD_IN_USE' });
  await store.write([{ type: 'delete', collection: 'inspections', id: 'i-0', ifVersion: 1 }]);
  expect(await remove()).toEqual({
    facilities: 1,
    shipments: 0,
    inspections: MAX_CASCADED - 2,
    contaminants: 0,
    detections: 700,
  });
});

test('records that go with others are looked for and read many at once', async () => {
  const way = { from: 'a', to: 'b', left: 1, arrived: 2, items: [{ lot: 'L' }] };
  const shipments = Array.from({ length: 300 }, (_, n) => shipment(`s-${n}`, way));
  const inspections = shipments.map((_, n) =>
    record('inspections', `i-${n}`, { ...INSPECTION, facilityId: undefined, shipmentId: `s-${n}` }),
  );
  const [kept] = await add(store, facility('a'), facility('b'), ...shipments, ...inspections);
  const reads = ['get', 'getMany', 'referrers'] as const;
  const calls = reads.map((name) => jest.spyOn(store, name));
  const counts = await deleteRecord(store, kept!, { cascade: true, now: day(2) });
  expect(counts).toMatchObject({ facilities: 1, shipments: 300, inspections: 300 });
  expect(calls.flatMap(({ mock }) => mock.calls).length).toBeLessThan(10);
});
