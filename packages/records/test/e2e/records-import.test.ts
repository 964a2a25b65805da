import { facilityRows, reportOf, upload } from '../../../../test/support/imports';
import { get } from '../../../../test/support/http';
import { type Service, startService } from '../../../../test/support/service';

let service: Service;

beforeAll(async () => {
  service = await startService({ MAX_BODY_BYTES: '4000', RECORDS_IMPORT_MAX_BYTES: '1000000' });
});
afterAll(() => service.stop());

const shipment = (fields: object): string =>
  JSON.stringify({
    collection: 'shipments',
    plannedDepartureAt: '2026-06-01T06:00:00Z',
    contents: [{ product: 'Milk', quantityKilograms: 900 }],
    ...fields,
  });

test('rows become records, and those that cannot are told line by line', async () => {
  const rows = [
    ...facilityRows(1_200),
    '',
    '{"collection":"facilities"',
    '{"id":"x"}',
    JSON.stringify({ collection: 'facilities', name: 'No kind' }),
    shipment({ originFacilityId: 'farm-1', destinationFacilityId: 'farm-2' }),
    shipment({ originFacilityId: 'farm-1', destinationFacilityId: 'nowhere' }),
    facilityRows(1)[0]!.replace('Farm 0', 'Another'),
  ];
  const started = await upload(service.recordsUrl, rows);
  expect([started.status, started.body.message]).toEqual([201, 'Import started successfully']);
  const { id, bytesTotal } = started.body.data;
  expect(started.headers.get('location')).toBe(`/api/imports/${id}`);
  expect(started.headers.get('x-workflow-id')).toMatch(/^import-records\//);
  expect(bytesTotal).toBe(Buffer.byteLength(`${rows.join('\n')}\n`));
  const report = await reportOf(service.recordsUrl, id);
  expect(report).toMatchObject({ rows: 1_207, created: 1_201, present: 0, failed: 5, bytesDone: bytesTotal });
  expect(report.errors.map(({ line, field }) => [line, field])).toEqual([
    [1_202, undefined],
    [1_203, 'collection'],
    [1_204, 'kind'],
    [1_206, 'destinationFacilityId'],
    [1_207, 'id'],
  ]);
  expect(report.errors[3]!.message).toBe('There is no facility "nowhere"');
  const listed = await get(`${service.recordsUrl}/api/shipments?originFacilityId=farm-1`);
  expect(listed.body.data.total).toBe(1);
  expect((await get(`${service.recordsUrl}/api/facilities/farm-0`)).body.data).toMatchObject({
    name: 'Farm 0',
    version: 1,
  });
});

test('a repeat under the same key is the first import; other rows under it are refused', async () => {
  const rows = facilityRows(20, 'keyed').map((row) => row.replace('"collection":"facilities",', ''));
  const key = { 'idempotency-key': 'spring-2026' };
  const query = '?collection=facilities';
  const first = await upload(service.recordsUrl, rows, key, query);
  const done = await reportOf(service.recordsUrl, first.body.data.id);
  expect(done).toMatchObject({ created: 20, failed: 0 });
  const again = await upload(service.recordsUrl, rows, key, query);
  expect([again.status, again.body.data]).toEqual([201, done]);
  expect(again.headers.get('x-trace-id')).toBe(first.headers.get('x-trace-id'));
  for (const other of [
    await upload(service.recordsUrl, rows.slice(1), key, query),
    await upload(service.recordsUrl, rows, key),
  ]) {
    expect([other.status, other.body.error]).toEqual([409, 'Conflict']);
  }
  // Without the key it is another import, which finds that the records exist.
  const second = await upload(service.recordsUrl, rows, {}, query);
  expect(await reportOf(service.recordsUrl, second.body.data.id)).toMatchObject({
    created: 0,
    present: 20,
    failed: 0,
  });
});

test('what is no upload is refused', async () => {
  const { recordsUrl } = service;
  expect((await upload(recordsUrl, ['{}'], { 'content-type': 'application/json' })).status).toBe(415);
  expect((await upload(recordsUrl, ['{}'], {}, '?collection=moons')).body.details.field).toBe('collection');
  const wide = await upload(recordsUrl, ['x'.repeat(4_001)]);
  expect([wide.status, wide.body.message]).toEqual([413, 'A row is larger than 4000 bytes (MAX_BODY_BYTES)']);
  const long = await upload(recordsUrl, Array<string>(20_000).fill('x'.repeat(99)));
  expect([long.status, long.body.message]).toMatchObject([
    413,
    expect.stringContaining('RECORDS_IMPORT_MAX_BYTES'),
  ]);
  for (const id of ['none', '..', '%2e%2e%2fsecrets']) {
    expect((await get(`${recordsUrl}/api/imports/${id}`)).status).toBe(404);
  }
});
