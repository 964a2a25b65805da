import { DEMO_WORLD } from '../../domain/demo-world';
import { openRecords, type RecordsApi } from '../support/records-api';

let records: RecordsApi;

beforeAll(async () => {
  records = await openRecords();
});
afterAll(() => records.close());

describe('a recall', () => {
  beforeAll(() => records.fill(DEMO_WORLD));
  const ids = (found: { id: string }[]): string[] => found.map(({ id }) => id);

  test('is traced to what may be affected, by lots and times', async () => {
    const { status, body } = await records.get('/api/contaminants/listeria/trace');
    expect([status, body.message]).toEqual([200, '4 shipments and 4 facilities may be affected']);
    const { downstream, upstream } = body.data;
    expect(upstream).toBeUndefined();
    expect(ids(downstream.shipments)).toEqual(['lyon-0414', 'grenoble-0415', 'kitchen-0416', 'geneva-0421']);
    expect(ids(downstream.facilities)).toEqual([
      'wholesaler-lyon',
      'shop-grenoble',
      'kitchen-lyon',
      'shop-geneva',
    ]);
    expect(downstream.facilities[1]).toMatchObject({
      hops: 2,
      at: '2026-04-15T05:40:00.000Z',
      lots: ['ROB-0412'],
      unknownLots: false,
      path: ['lyon-0414', 'grenoble-0415'],
    });
  });

  test('is traced to where it may have come from', async () => {
    const { body } = await records.get('/api/contaminants/listeria/trace?direction=upstream');
    expect(ids(body.data.upstream.shipments)).toEqual([
      'lyon-0414',
      'cheese-0413',
      'milk-0410-s',
      'milk-0410-p',
    ]);
    const farms = body.data.upstream.facilities.filter(({ kind }: { kind: string }) => kind === 'farm');
    expect(ids(farms).sort()).toEqual(['farm-pellice', 'farm-stura']);
    expect(farms[0].path).toHaveLength(3);
    expect(farms[0].path.slice(1)).toEqual(['cheese-0413', 'lyon-0414']);
  });

  test('finds all of a lot and what was made of it', async () => {
    const { body } = await records.get('/api/lots/ROB-0412/trace?direction=both');
    expect(ids(body.data.downstream.facilities).sort()).toEqual([
      'cold-store-turin',
      'kitchen-lyon',
      'packer-asti',
      'shop-geneva',
      'shop-grenoble',
      'shop-milan',
      'wholesaler-lyon',
    ]);
    expect(ids(body.data.upstream.facilities)).toContain('farm-stura');
    expect((await records.get('/api/lots/none/trace')).body.data.downstream.shipments).toEqual([]);
  });

  test('is bounded in hops, time and number, and can pass over lots', async () => {
    const trace = async (path: string) => (await records.get(path)).body.data.downstream;
    const farm = '/api/facilities/farm-stura/trace';
    const near = await trace(`${farm}?maxHops=2`);
    expect([ids(near.shipments), near.truncated]).toEqual([['milk-0410-s', 'cheese-0413'], true]);
    expect((await trace(farm)).truncated).toBe(false);
    expect(ids((await trace(`${farm}?to=2026-04-14`)).shipments)).toEqual([
      'milk-0410-s',
      'cheese-0413',
      'lyon-0414',
    ]);
    expect((await trace(`${farm}?since=2026-04-11`)).shipments).toEqual([]);
    for (const start of ['shipments/lyon-0414', 'lots/ROB-0412']) {
      const late = await trace(`/api/${start}/trace?from=2027-01-01`);
      expect([late.shipments, late.facilities]).toEqual([[], []]);
    }
    const one = await trace('/api/lots/ROB-0412/trace?from=2026-04-21&limit=1');
    expect([ids(one.shipments), one.truncated]).toEqual([['geneva-0421'], false]);
    expect(await trace(`${farm}?limit=1`)).toMatchObject({
      truncated: true,
      shipments: [{ id: 'milk-0410-s' }],
    });
    const all = await trace('/api/shipments/lyon-0414/trace?matchLots=false');
    expect(ids(all.shipments)).toContain('geneva-0415');
  });

  test('of what is not there is a 404, and of what makes no sense a 400', async () => {
    for (const path of ['contaminants', 'shipments', 'facilities']) {
      expect((await records.get(`/api/${path}/none/trace`)).body.error).toBe('Record not found');
    }
    for (const [query, field] of [
      ['direction=sideways', 'direction'],
      ['maxHops=0', 'maxHops'],
      ['limit=10001', 'limit'],
      ['from=yesterday', 'from'],
      ['hops=3', 'hops'],
    ]) {
      const answer = await records.get(`/api/contaminants/listeria/trace?${query}`);
      expect([answer.status, answer.body.details.field]).toEqual([400, field]);
    }
    const other = await records.get('/api/facilities/farm-stura/trace?hops=3');
    expect(other.body.message).toMatch(/^hops is not known; known are direction, maxHops, .*until$/);
  });
});
