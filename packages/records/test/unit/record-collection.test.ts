import { setTimeout as delay } from 'node:timers/promises';
import { createRecords } from '../../domain/record-collection';
import type { RecordStore } from '../../stores/record-store';
import { add, day, record } from '../contract/support/records';
import { type OpenRecordStore, openRecordStore } from '../support/record-store';
import { entityTagOf } from '../../domain/to-new-record';

let opened: OpenRecordStore;
let store: RecordStore;
beforeEach(() => {
  opened = openRecordStore();
  ({ store } = opened);
  // The answer of a store on another machine is on its way for a while, in which other callers change the record.
  const read = store.get.bind(store);
  jest.spyOn(store, 'get').mockImplementation(async (key) => {
    const found = await read(key);
    await delay(2);
    return found;
  });
});
afterEach(() => opened.close());

const CALLERS = 20;
const callers = Array.from({ length: CALLERS }, (_, n) => n);
const dock = (name: string) =>
  ({
    name,
    kind: 'port',
    status: 'active',
    address: { city: 'Rotterdam', countryCode: 'NL' },
  }) as const;

test('of many who change a record at once without a precondition the last one wins, and none is refused', async () => {
  const facilities = createRecords({ store, collection: 'facilities' });
  const { id } = await facilities.create(dock('Dock'));
  const changed = await Promise.all(callers.map((n) => facilities.replace(id, dock(`Dock ${n}`))));
  const last = changed.find(({ version }) => version === CALLERS + 1);
  expect(new Set(changed.map(({ version }) => version)).size).toBe(CALLERS);
  expect(await facilities.get(id)).toEqual(last);
});

test('of many who change one version at once one wins', async () => {
  const facilities = createRecords({ store, collection: 'facilities' });
  const created = await facilities.create(dock('Dock'));
  const options = { ifMatch: [entityTagOf(created)] };
  const changes = callers.map((n) => facilities.replace(created.id, dock(`Dock ${n}`), options));
  const outcomes = await Promise.allSettled(changes);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(CALLERS - 1);
  for (const { reason } of refused)
    expect(reason).toMatchObject({ code: 'RECORD_CHANGED', details: { version: 2 } });
});

test('a deletion with what refers to the record takes that too which another caller adds meanwhile', async () => {
  const facilities = createRecords({ store, collection: 'facilities' });
  const { id } = await facilities.create(dock('Dock'));
  const fields = { facilityId: id, inspector: { name: 'I' }, inspectedAt: day(1), result: 'passed' };
  const write = store.write.bind(store);
  jest.spyOn(store, 'write').mockImplementationOnce(async (changes) => {
    await add(store, record('inspections', 'i', fields));
    return write(changes);
  });
  expect(await facilities.delete(id, { cascade: true })).toMatchObject({ facilities: 1, inspections: 1 });
  expect(await store.get({ collection: 'inspections', id: 'i' })).toBeUndefined();
});
