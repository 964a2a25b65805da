import { DEFAULT_TENANT } from '../../../../src/contracts/tenants';
import { searchText } from '../../stores/record';
import type { RecordCondition, RecordQuery, RecordStore } from '../../stores/record-store';
import type { RecordStores } from '../../stores/record-stores';
import type { RecordStoreHarness } from './support/record-harness';
import { add, day, facility, put, shipment } from './support/records';

/** One name begins with another one, which no key may mix up. */
const TENANTS = [DEFAULT_TENANT, 'acme', 'acme-2'];
const WAY = { from: 'a', to: 'b', left: 1, arrived: 2, items: [{ lot: 'L1' }] };

export function describeRecordTenants(harness: () => RecordStoreHarness): void {
  describe('tenants', () => {
    let stores: RecordStores;
    beforeEach(async () => {
      stores = harness().open();
      for (const [n, tenant] of TENANTS.entries()) {
        await add(
          stores.of(tenant),
          facility('a', { name: `Mill of ${tenant}`, capacity: { storageTonnes: 5 } }, day(n)),
          facility('b'),
          facility(`only-${tenant}`),
          shipment('s', { ...WAY, left: n, arrived: n + 1 }),
        );
      }
    });

    const remove = (store: RecordStore, collection: 'facilities' | 'shipments', ids: readonly string[]) =>
      store.write(ids.map((id) => ({ type: 'delete', collection, id, ifVersion: 1 }) as const));
    const isThere = async (store: RecordStore, id: string): Promise<boolean> =>
      (await store.get({ collection: 'facilities', id })) !== undefined;

    async function list(store: RecordStore, query: Partial<RecordQuery>) {
      const whole: RecordQuery = {
        collection: 'facilities',
        conditions: [],
        sort: 'createdAt',
        descending: true,
        limit: 10,
        ...query,
      };
      const { records, total } = await store.list(whole);
      expect(await store.page(whole)).toEqual(records);
      return { ids: records.map(({ id }) => id), total, names: records.map(({ body }) => body['name']) };
    }

    it.each(TENANTS.map((tenant, n) => [tenant, n] as const))(
      'reads the records of %s and of no other tenant',
      async (tenant, n) => {
        const store = stores.of(tenant);
        const [other] = TENANTS.filter((one) => one !== tenant);
        expect(await store.get({ collection: 'facilities', id: 'a' })).toMatchObject({
          version: 1,
          createdAt: day(n),
          body: { name: `Mill of ${tenant}` },
        });
        const ids = ['a', `only-${tenant}`, `only-${other}`];
        expect([...(await store.getMany('facilities', ids)).keys()].sort()).toEqual(ids.slice(0, 2));

        const own = ['a', 'b', `only-${tenant}`];
        const all = await list(store, { sort: 'name', descending: false });
        expect(all).toMatchObject({ total: 3, names: expect.arrayContaining([`Mill of ${tenant}`]) });
        expect([...all.ids].sort()).toEqual(own);
        expect((await list(store, { after: { value: day(30), id: 'z' } })).ids.sort()).toEqual(own);
      },
    );

    it('lists by conditions of every type what the tenant has', async () => {
      const conditions: RecordCondition[] = [
        { type: 'any', field: 'countryCode', values: ['FR', 'DE'] },
        { type: 'min', field: 'storageTonnes', value: 5 },
        { type: 'max', field: 'storageTonnes', value: 5 },
        { type: 'text', words: [searchText(['Mill'])] },
      ];
      const bySender: RecordQuery['conditions'] = [{ type: 'tag', field: 'facilityId', values: ['a'] }];
      const byLot: RecordCondition = { type: 'tag', field: 'lot', values: ['L1', 'L2'] };
      for (const tenant of TENANTS) {
        const store = stores.of(tenant);
        for (const some of [...conditions.slice(1).map((condition) => [condition]), conditions]) {
          const names = [`Mill of ${tenant}`];
          expect(await list(store, { conditions: some })).toEqual({ ids: ['a'], total: 1, names });
        }
        expect(await list(store, { conditions: conditions.slice(0, 1) })).toMatchObject({ total: 3 });
        for (const some of [[byLot], [byLot, ...bySender]]) {
          const found = await list(store, { collection: 'shipments', conditions: some });
          expect(found).toMatchObject({ ids: ['s'], total: 1 });
        }
      }
    });

    it('follows references and goods of the tenant alone', async () => {
      for (const [n, tenant] of TENANTS.entries()) {
        const store = stores.of(tenant);
        const referrers = await store.referrers([{ collection: 'facilities', id: 'a' }], 10);
        expect(referrers).toEqual([{ collection: 'shipments', id: 's', field: 'originFacilityId' }]);
        const goods = { lot: 'L1', at: day(n) };
        const left = await store.departures([{ ...goods, facilityId: 'a' }], { limit: 10 });
        const arrived = await store.arrivals([{ ...goods, at: day(9), facilityId: 'b' }], { limit: 10 });
        expect(left).toMatchObject([{ id: 's', departure: day(n) }]);
        expect(arrived).toEqual(left);
        expect(await store.movements(['s'])).toEqual(left);
      }
    });

    it('refuses references to records of another tenant', async () => {
      const [first, second] = [stores.of('acme'), stores.of('acme-2')];
      for (const to of ['only-acme-2', `only-${DEFAULT_TENANT}`])
        await expect(add(first, shipment('t', { ...WAY, to }))).rejects.toMatchObject({
          code: 'RECORD_REFERENCE',
        });
      await add(second, shipment('t', { ...WAY, to: 'only-acme-2' }));
    });

    it('changes and deletes records of the tenant alone', async () => {
      const [left, changed, deleted] = TENANTS.map((tenant) => stores.of(tenant)) as [
        RecordStore,
        RecordStore,
        RecordStore,
      ];
      await changed.write([put(facility('a', { name: 'Other' }), 1)]);
      await expect(changed.write([put(facility('a'), 1)])).rejects.toMatchObject({ details: { version: 2 } });
      await expect(left.write([put(facility('a'), 2)])).rejects.toMatchObject({ details: { version: 1 } });

      // Shipments of the other tenants still refer to facilities with the same ids.
      await remove(deleted, 'shipments', ['s']);
      await remove(deleted, 'facilities', ['a', 'b', 'only-acme-2']);
      expect(await list(deleted, {})).toMatchObject({ total: 0 });
      expect(await deleted.departures([{ facilityId: 'a', lot: null, at: day(0) }], { limit: 10 })).toEqual(
        [],
      );
      await expect(remove(left, 'facilities', ['b'])).rejects.toMatchObject({ code: 'RECORD_IN_USE' });
      for (const store of [left, changed]) {
        expect(await isThere(store, 'b')).toBe(true);
        expect(await store.movements(['s'])).toHaveLength(1);
        const byLot: RecordCondition = { type: 'tag', field: 'lot', values: ['L1'] };
        expect(await list(store, { collection: 'shipments', conditions: [byLot] })).toMatchObject({
          total: 1,
        });
      }
    });

    it('refuses names that lead elsewhere', () => {
      for (const name of ['', 'Acme', 'a/b', '..', '@acme', 'a\n'])
        expect(() => stores.of(name)).toThrow('The name of a tenant is malformed');
    });
  });
}
