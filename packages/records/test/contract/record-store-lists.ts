import fc from 'fast-check';
import { type FieldValue, type NewRecord, searchText } from '../../stores/record';
import type { RecordCondition, RecordQuery, RecordStore } from '../../stores/record-store';
import type { RecordStoreHarness } from './support/record-harness';
import { add, day, facility, put, shipment } from './support/records';

type Query = Partial<RecordQuery>;

/** By code point, which is the order that stores use. */
function compare(a: FieldValue, b: FieldValue): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function passes(one: NewRecord, condition: RecordCondition): boolean {
  if (condition.type === 'text') return condition.words.every((word) => one.text.includes(word));
  if (condition.type === 'tag')
    return condition.values.some((value) => one.tags[condition.field]?.includes(value));
  const value = one.fields[condition.field] ?? null;
  if (value === null) return false;
  if (condition.type === 'any') return condition.values.includes(value);
  return condition.type === 'min' ? value >= condition.value : value <= condition.value;
}

/** The expected list, computed in the simplest way. */
function expected(all: readonly NewRecord[], query: RecordQuery): string[] {
  const valueOf = (one: NewRecord): FieldValue =>
    query.sort === 'createdAt' ? one.createdAt : (one.fields[query.sort] ?? '');
  const sign = query.descending ? -1 : 1;
  return all
    .filter((one) => one.collection === query.collection)
    .filter((one) => query.conditions.every((condition) => passes(one, condition)))
    .sort((a, b) => sign * (compare(valueOf(a), valueOf(b)) || compare(a.id, b.id)))
    .map(({ id }) => id);
}

export function describeRecordLists(harness: () => RecordStoreHarness, { numRuns } = { numRuns: 25 }): void {
  describe('lists', () => {
    let store: RecordStore;
    beforeEach(() => {
      store = harness().connect();
    });

    const base: RecordQuery = {
      collection: 'facilities',
      conditions: [],
      sort: 'createdAt',
      descending: false,
      limit: 100,
    };
    const page = (query: Query) => store.list({ ...base, ...query });
    const list = async (query: Query): Promise<string[]> => (await page(query)).records.map(({ id }) => id);

    it('goes by the field, then by id, either way, with the total of all pages', async () => {
      await add(store, facility('b'), facility('a'), facility('d', {}, day(-1)), facility('c', {}, day(1)));
      expect(await list({})).toEqual(['d', 'a', 'b', 'c']);
      expect(await list({ descending: true })).toEqual(['c', 'b', 'a', 'd']);
      const first = await page({ limit: 2 });
      expect([first.records.map(({ id }) => id), first.total]).toEqual([['d', 'a'], 4]);
      expect(await list({ limit: 2, after: { value: day(0), id: 'a' } })).toEqual(['b', 'c']);
      expect(await list({ descending: true, after: { value: day(0), id: 'a' } })).toEqual(['d']);
      expect(await page({ limit: 0 })).toEqual({ records: [], total: 4 });
    });

    it('goes by code points, also where the values of the field are asked for one by one', async () => {
      const cities = { bay: '🐟 Bay', lodz: 'Łódź', first: 'ﬁrst', lyon: 'Lyon' };
      await add(
        store,
        ...Object.entries(cities).map(([id, city]) => facility(id, { address: { city, countryCode: 'FR' } })),
      );
      const wanted = ['lyon', 'lodz', 'first', 'bay'];
      const values = Object.values(cities);
      for (const conditions of [[], [{ type: 'any', field: 'city', values } as const]]) {
        const asked = { conditions, sort: 'city' };
        expect(await list(asked)).toEqual(wanted);
        expect(await list({ ...asked, descending: true })).toEqual([...wanted].reverse());
        expect(await list({ ...asked, after: { value: 'ﬁrst', id: 'first' } })).toEqual(['bay']);
      }
    });

    it('shows every record once that is there all the time, while others come and go', async () => {
      const stay = Array.from({ length: 9 }, (_, n) => facility(`stay-${n}`, {}, day(n)));
      const go = Array.from({ length: 3 }, (_, n) => facility(`go-${n}`, {}, day(n * 3 + 0.5)));
      await add(store, ...stay, ...go);
      const seen: string[] = [];
      let after: RecordQuery['after'];
      for (let round = 0; round < 20; round += 1) {
        const { records } = await page({ limit: 2, ...(after && { after }) });
        const last = records.at(-1);
        if (last === undefined) break;
        seen.push(...records.map(({ id }) => id));
        after = { value: last.createdAt, id: last.id };
        await add(store, facility(`early-${round}`, {}, day(-1)));
        if (round < 3)
          await store.write([{ type: 'delete', collection: 'facilities', id: `go-${round}`, ifVersion: 1 }]);
      }
      expect(seen.filter((id) => id.startsWith('stay'))).toEqual(stay.map(({ id }) => id));
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.some((id) => id.startsWith('early'))).toBe(false);
    });

    it('finds a record by what it is now', async () => {
      const way = { from: 'a', to: 'b', left: 1, arrived: 2 };
      await add(store, facility('a'), facility('b'), shipment('s', { ...way, items: [{ lot: 'L1' }] }));
      const byLot = (lot: string) =>
        list({ collection: 'shipments', conditions: [{ type: 'tag', field: 'lot', values: [lot] }] });
      expect(await byLot('L1')).toEqual(['s']);
      await store.write([put(shipment('s', { ...way, items: [{ lot: 'L2' }, { lot: 'L3' }] }), 1)]);
      expect([await byLot('L1'), await byLot('L2'), await byLot('L3')]).toEqual([[], ['s'], ['s']]);
      await add(
        store,
        shipment('t', { ...way, items: [{ lot: 'L2', sourceLots: ['M'] }] }, { reference: 'T' }),
      );
      const both = (field: string, values: string[], rest: RecordCondition[] = []) =>
        list({
          collection: 'shipments',
          conditions: [
            { type: 'tag', field: 'lot', values: ['L2', 'L3'] },
            { type: 'tag', field, values },
            { type: 'tag', field: 'product', values: ['Milk'] },
            ...rest,
          ],
        });
      expect(await both('facilityId', ['a', 'b'])).toEqual(['s', 't']);
      expect(await both('sourceLot', ['M'])).toEqual(['t']);
      expect(await both('sourceLot', ['N'])).toEqual([]);
      expect(await both('facilityId', ['a'], [{ type: 'any', field: 'reference', values: ['T'] }])).toEqual([
        't',
      ]);
    });

    const KINDS = ['farm', 'processor', 'port'];
    const CITIES = ['Lyon', 'lyon', 'Łódź', '\u{1f41f} Bay', '\ufb01rst', "O'Hara", 'a"b'];
    const facilities = fc.uniqueArray(
      fc.record({
        id: fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,3}$/),
        kind: fc.constantFrom(...KINDS),
        city: fc.constantFrom(...CITIES),
        storageTonnes: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
        made: fc.integer({ min: 0, max: 5 }),
      }),
      { selector: ({ id }) => id, maxLength: 25 },
    );
    const condition: fc.Arbitrary<RecordCondition> = fc.oneof(
      fc.record({
        type: fc.constant('any' as const),
        field: fc.constant('kind'),
        values: fc.uniqueArray(fc.constantFrom(...KINDS), { minLength: 1 }),
      }),
      fc.record({
        type: fc.constant('any' as const),
        field: fc.constant('city'),
        values: fc.uniqueArray(fc.constantFrom(...CITIES), { minLength: 1 }),
      }),
      fc.record({
        type: fc.constantFrom('min' as const, 'max' as const),
        field: fc.constant('storageTonnes'),
        value: fc.integer({ min: 0, max: 7 }),
      }),
      fc.record({
        type: fc.constant('text' as const),
        words: fc.array(
          fc.constantFrom('ly', 'lodz', 'hara', '"', 'fir', '%', '1').map((word) => searchText([word])),
          {
            minLength: 1,
            maxLength: 2,
          },
        ),
      }),
    );
    const queries = fc.record({
      conditions: fc.array(condition, { maxLength: 3 }),
      sort: fc.constantFrom('createdAt', 'kind', 'city'),
      descending: fc.boolean(),
    });

    it('finds what a slow search of everything finds, page by page', async () => {
      await fc.assert(
        fc.asyncProperty(
          facilities,
          fc.array(queries, { minLength: 1, maxLength: 8 }),
          async (drawn, asked) => {
            const all = drawn.map(({ id, kind, city, storageTonnes, made }) =>
              facility(
                id,
                {
                  kind,
                  address: { city, countryCode: 'FR' },
                  ...(storageTonnes && { capacity: { storageTonnes } }),
                },
                day(made),
              ),
            );
            await add(store, ...all);
            try {
              for (const query of asked) {
                const wanted = expected(all, { ...base, ...query });
                const found: string[] = [];
                for (let after: RecordQuery['after']; ;) {
                  const part = { ...query, limit: 7, ...(after && { after }) };
                  const { records, total } = await page(part);
                  expect(total).toBe(wanted.length);
                  expect(await store.page({ ...base, ...part })).toEqual(records);
                  const last = all.find(({ id }) => id === records.at(-1)?.id);
                  if (last === undefined) break;
                  found.push(...records.map(({ id }) => id));
                  const value = query.sort === 'createdAt' ? last.createdAt : last.fields[query.sort]!;
                  after = { value, id: last.id };
                }
                expect(found).toEqual(wanted);
              }
            } finally {
              await store.write(
                all.map(
                  ({ id }) => ({ type: 'delete', collection: 'facilities', id, ifVersion: 1 }) as const,
                ),
              );
            }
          },
        ),
        { numRuns },
      );
    });
  });
}
