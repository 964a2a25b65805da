import type { RecordStore } from '../../stores/record-store';
import type { RecordStoreHarness } from './support/record-harness';
import { add, day, facility, put, record, shipment } from './support/records';

const WAY = { from: 'a', to: 'b', left: 1, arrived: 2 };

export function describeRecordChanges(harness: () => RecordStoreHarness): void {
  describe('changes', () => {
    let store: RecordStore;
    beforeEach(() => {
      store = harness().connect();
    });

    const del = (collection: 'facilities' | 'shipments', id: string, ifVersion = 1) =>
      ({ type: 'delete', collection, id, ifVersion }) as const;
    const find = (id: string) => store.get({ collection: 'facilities', id });

    it('keeps what was put, as it was put', async () => {
      const one = facility('a', {
        notes: 'ünï "quoted" 😀',
        coordinates: { latitude: 45.75, longitude: 4.85 },
      });
      const [kept] = await add(store, one);
      expect(kept).toEqual({
        collection: 'facilities',
        id: 'a',
        version: 1,
        createdAt: day(0),
        updatedAt: day(0),
        body: one.body,
      });
      expect(await find('a')).toEqual(kept);
      expect(await harness().connect().get({ collection: 'facilities', id: 'a' })).toEqual(kept);
      expect(await find('A')).toBeUndefined();
      expect(await store.get({ collection: 'shipments', id: 'a' })).toBeUndefined();
      expect(await store.getMany('facilities', ['z', 'a'])).toEqual(new Map([['a', kept]]));
    });

    it('changes a record of the version that is meant, and no other', async () => {
      await add(store, facility('a'));
      const changed = facility('a', { name: 'Other' });
      for (const wrong of [0, 2]) {
        await expect(store.write([put(changed, wrong)])).rejects.toMatchObject({
          code: 'RECORD_CHANGED',
          details: { version: 1 },
        });
      }
      expect(await store.write([put(changed, 1)])).toMatchObject([{ version: 2, body: { name: 'Other' } }]);
      await expect(store.write([put(facility('new'), 1)])).rejects.toMatchObject({ details: { version: 0 } });
      await expect(store.write([del('facilities', 'a', 1)])).rejects.toMatchObject({
        code: 'RECORD_CHANGED',
      });
      expect(await store.write([del('facilities', 'a', 2)])).toEqual([]);
      expect(await find('a')).toBeUndefined();
      expect(await add(store, facility('a'))).toMatchObject([{ version: 1 }]);
    });

    it('keeps all of a batch or nothing', async () => {
      await add(store, facility('a'));
      const batch = [put(facility('b')), put(facility('a', { name: 'Other' }), 1), put(facility('c'), 3)];
      await expect(store.write(batch)).rejects.toMatchObject({ code: 'RECORD_CHANGED' });
      expect(await find('b')).toBeUndefined();
      expect(await find('a')).toMatchObject({ version: 1, body: { name: 'Facility a' } });
    });

    it('lets records refer to what is there, in the same batch too, and to nothing else', async () => {
      const way = shipment('s', WAY);
      await add(store, facility('a'));
      await expect(add(store, way)).rejects.toMatchObject({
        code: 'RECORD_REFERENCE',
        details: { field: 'destinationFacilityId', message: 'There is no facility "b"' },
      });
      expect(await store.get({ collection: 'shipments', id: 's' })).toBeUndefined();
      await add(store, way, facility('b'));
      const inspection = {
        shipmentId: 'none',
        inspector: { name: 'I' },
        inspectedAt: day(1),
        result: 'passed',
      };
      await expect(add(store, record('inspections', 'i', inspection))).rejects.toMatchObject({
        details: { field: 'shipmentId' },
      });
    });

    it('deletes nothing that is referred to, unless what refers to it goes along', async () => {
      await add(store, facility('a'), facility('b'), shipment('s', WAY), shipment('t', WAY));
      await expect(store.write([del('facilities', 'a')])).rejects.toMatchObject({
        code: 'RECORD_IN_USE',
        details: {
          referredToBy: [
            { collection: 'shipments', id: 's', field: 'originFacilityId' },
            { collection: 'shipments', id: 't', field: 'originFacilityId' },
          ],
        },
      });
      await expect(
        store.write([del('facilities', 'b'), del('facilities', 'a'), del('shipments', 's')]),
      ).rejects.toMatchObject({
        code: 'RECORD_IN_USE',
        details: { referredToBy: [{ collection: 'shipments', id: 't' }] },
      });
      await store.write([del('facilities', 'a'), del('shipments', 's'), del('shipments', 't')]);
      expect(await find('a')).toBeUndefined();
      expect(await store.referrers([{ collection: 'facilities', id: 'b' }], 10)).toEqual([]);
      await store.write([del('facilities', 'b')]);
    });

    it('knows who refers to a record as its referrers are now', async () => {
      const contaminant = (...ids: string[]) =>
        record('contaminants', 'c', {
          name: 'Lead',
          class: 'chemical',
          unit: 'mg/kg',
          detections: ids.map((id) => ({ facilityId: id, detectedAt: day(1) })),
        });
      await add(
        store,
        facility('a'),
        facility('b'),
        facility('c'),
        shipment('s', WAY),
        contaminant('a', 'b', 'a'),
      );
      const referrers = (id: string, most = 10) => store.referrers([{ collection: 'facilities', id }], most);
      expect(await referrers('a')).toEqual([
        { collection: 'contaminants', id: 'c', field: 'detections[0].facilityId' },
        { collection: 'contaminants', id: 'c', field: 'detections[2].facilityId' },
        { collection: 'shipments', id: 's', field: 'originFacilityId' },
      ]);
      expect(await referrers('a', 2)).toHaveLength(2);
      const both = ['a', 'b'].map((id) => ({ collection: 'facilities', id }) as const);
      expect(await store.referrers(both, 10)).toEqual([...(await referrers('a')), ...(await referrers('b'))]);
      expect(await store.referrers(both, 4)).toHaveLength(4);
      await store.write([put(contaminant('b'), 1), put(shipment('s', { ...WAY, from: 'c' }), 1)]);
      expect(await referrers('a')).toEqual([]);
      expect(await referrers('b')).toEqual([
        { collection: 'contaminants', id: 'c', field: 'detections[0].facilityId' },
        { collection: 'shipments', id: 's', field: 'destinationFacilityId' },
      ]);
    });

    it('lets one of many win who change the same version', async () => {
      await add(store, facility('a'));
      const others = [store, harness().connect(), harness().connect()];
      const outcomes = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          others[n % 3]!.write([put(facility('a', { name: `Name ${n}` }), 1)]),
        ),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'RECORD_CHANGED' });
      }
      expect(await find('a')).toMatchObject({ version: 2 });
    });

    it('never leaves a reference to nothing when one comes while the other goes', async () => {
      const other = harness().connect();
      for (let round = 0; round < 8; round += 1) {
        const [from, to, id] = [`from-${round}`, `to-${round}`, `s-${round}`];
        await add(store, facility(from), facility(to));
        const [made, gone] = await Promise.allSettled([
          add(store, shipment(id, { ...WAY, from, to })),
          other.write([del('facilities', to)]),
        ]);
        expect([made.status, gone.status].sort()).toEqual(['fulfilled', 'rejected']);
        const isThere = (await store.get({ collection: 'shipments', id })) !== undefined;
        expect((await find(to)) !== undefined).toBe(isThere);
      }
    });

    it('refuses operations once the stores are closed, also of a tenant that was not used before', async () => {
      const stores = harness().open();
      const used = stores.of('used');
      await stores.ping();
      await used.getMany('facilities', ['a']);
      await stores.close();
      await stores.close();
      for (const one of [used, stores.of('used'), stores.of('unused')]) {
        await expect(one.get({ collection: 'facilities', id: 'a' })).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
        });
      }
      await expect(stores.ping()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
  });
}
