import { openRecords, type RecordsApi } from '../support/records-api';

let records: RecordsApi;

beforeAll(async () => {
  records = await openRecords();
});
afterAll(() => records.close());

const FACILITY = { name: 'Dock 9', kind: 'port', address: { city: 'Rotterdam', countryCode: 'NL' } };

async function madeFacility(rest: object = {}): Promise<string> {
  return (await records.send('POST', '/api/facilities', { ...FACILITY, ...rest })).body.data.id;
}

async function shipmentFields(rest: object = {}): Promise<object> {
  return {
    originFacilityId: await madeFacility(),
    destinationFacilityId: await madeFacility(),
    plannedDepartureAt: '2026-05-01T08:00:00+02:00',
    contents: [{ product: 'Cocoa', quantityKilograms: 12.5, lot: 'C-1' }],
    ...rest,
  };
}

test('a record is created, read, replaced and deleted', async () => {
  const created = await records.send('POST', '/api/facilities', { ...FACILITY, notes: 'gate 3' });
  const { id } = created.body.data;
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe(`/api/facilities/${id}`);
  expect(created.body).toEqual({
    success: true,
    message: 'Facility created successfully',
    data: {
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      ...FACILITY,
      status: 'active',
      notes: 'gate 3',
      version: 1,
      createdAt: expect.any(String),
      updatedAt: created.body.data.createdAt,
    },
  });
  const read = await records.get(`/api/v1/facilities/${id}`);
  expect([read.status, read.body.data]).toEqual([200, created.body.data]);
  expect(read.headers.get('etag')).toBe(created.headers.get('etag'));

  const replaced = await records.send('PUT', `/api/facilities/${id}`, { ...FACILITY, name: 'Dock 10' });
  expect(replaced.body).toMatchObject({
    message: 'Facility updated successfully',
    data: { id, name: 'Dock 10', version: 2, createdAt: created.body.data.createdAt },
  });
  expect(replaced.body.data).not.toHaveProperty('notes');

  const gone = await records.send('DELETE', `/api/facilities/${id}`);
  expect(gone.body).toMatchObject({
    message: 'Facility deleted successfully',
    data: { deleted: true, counts: { facilities: 1, shipments: 0 } },
  });
  for (const [method, body] of [['GET'], ['PUT', FACILITY], ['DELETE']] as const) {
    const answer = await records.send(method, `/api/facilities/${id}`, body);
    expect([answer.status, answer.body]).toMatchObject([
      404,
      { success: false, error: 'Record not found', message: `There is no facility "${id}"` },
    ]);
  }
});

test('an id may be chosen, once', async () => {
  const first = await records.send('POST', '/api/facilities', { ...FACILITY, id: 'dock-11' });
  expect([first.status, first.body.data.id]).toEqual([201, 'dock-11']);
  const second = await records.send('POST', '/api/facilities', { ...FACILITY, id: 'dock-11' });
  expect([second.status, second.body.error]).toEqual([409, 'Record already exists']);
});

test('a record that was read can be sent back as it is, and moments are kept in UTC', async () => {
  const { data } = (await records.send('POST', '/api/shipments', await shipmentFields())).body;
  expect(data).toMatchObject({ status: 'planned', plannedDepartureAt: '2026-05-01T06:00:00.000Z' });
  const again = await records.send('PUT', `/api/shipments/${data.id}`, data);
  expect([again.status, again.body.data.version]).toEqual([200, 2]);
  const stale = await records.send('PUT', `/api/shipments/${data.id}`, data);
  expect([stale.status, stale.body.details.field]).toEqual([400, 'version']);
  const copy = await records.send('POST', '/api/shipments', { ...data, id: 'a-copy' });
  expect([copy.status, copy.body.data.version]).toEqual([201, 1]);
  expect(copy.headers.get('x-ignored-fields')).toBe('version, createdAt, updatedAt');
  const moved = await records.send('PUT', `/api/shipments/${data.id}`, { ...data, id: 'other' });
  expect([moved.status, moved.body.details.field]).toEqual([400, 'id']);
});

describe('entity tags', () => {
  test('a change for another version is a 412, and changes nothing', async () => {
    const { body, headers } = await records.send('POST', '/api/facilities', FACILITY);
    const path = `/api/facilities/${body.data.id}`;
    const change = (ifMatch: string, method = 'PUT') =>
      records.send(method, path, method === 'PUT' ? { ...FACILITY, name: 'Changed' } : undefined, {
        'if-match': ifMatch,
      });
    const tag = headers.get('etag')!;
    const changed = await change(`"other", ${tag}`);
    expect(changed.status).toBe(200);
    for (const stale of [tag, '"x"', `W/${changed.headers.get('etag')}`]) {
      for (const method of ['PUT', 'DELETE']) {
        const answer = await change(stale, method);
        expect([answer.status, answer.body.error, answer.body.details.version]).toEqual([
          412,
          'Record changed',
          2,
        ]);
      }
    }
    expect((await records.get(path)).body.data.version).toBe(2);
    expect((await change('not a tag')).status).toBe(400);
    expect((await change('*')).status).toBe(200);
    expect((await change('*', 'DELETE')).status).toBe(200);
  });

  test('a record that is not there is so under any condition', async () => {
    for (const tag of ['*', '"a"']) {
      const headers = { 'if-match': tag };
      expect((await records.send('PUT', '/api/facilities/none', FACILITY, headers)).status).toBe(404);
      expect((await records.send('DELETE', '/api/facilities/none', undefined, headers)).status).toBe(404);
    }
  });

  test('a tag of a record that was deleted is none of one that has its id', async () => {
    const first = await records.send('POST', '/api/facilities', { ...FACILITY, id: 'again' });
    await records.send('DELETE', '/api/facilities/again');
    await records.send('POST', '/api/facilities', { ...FACILITY, id: 'again' });
    const headers = { 'if-match': first.headers.get('etag')! };
    expect((await records.send('DELETE', '/api/facilities/again', undefined, headers)).status).toBe(412);
  });

  test('what is known is not sent again', async () => {
    const { body, headers } = await records.send('POST', '/api/facilities', FACILITY);
    const read = (known: string) =>
      records.send('GET', `/api/facilities/${body.data.id}`, undefined, { 'if-none-match': known });
    const tag = headers.get('etag')!;
    for (const known of [tag, `W/${tag}`, `"a", ${tag}`, '*']) {
      const answer = await read(known);
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect((await read('"a"')).status).toBe(200);
  });

  test('of many who change one version one wins', async () => {
    const { body, headers } = await records.send('POST', '/api/facilities', FACILITY);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        records.send(
          'PUT',
          `/api/facilities/${body.data.id}`,
          { ...FACILITY, name: `Name ${n}` },
          {
            'if-match': headers.get('etag')!,
          },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(412)]);
  });
});

test('a status follows only where it may', async () => {
  const fields = await shipmentFields();
  const { id } = (await records.send('POST', '/api/shipments', fields)).body.data;
  const become = (status: string, rest: object = {}) =>
    records.send('PUT', `/api/shipments/${id}`, { ...fields, status, ...rest });
  const left = { departedAt: '2026-05-01T06:30:00Z' };
  const there = { ...left, arrivedAt: '2026-05-02T06:30:00Z' };
  const early = await become('delivered', there);
  expect([early.status, early.body]).toMatchObject([
    409,
    {
      error: 'Status transition not allowed',
      message:
        'A shipment that is planned cannot become delivered; it may become in_transit, held, cancelled',
      details: { from: 'planned', to: 'delivered', allowed: ['in_transit', 'held', 'cancelled'] },
    },
  ]);
  expect((await become('in_transit')).body.details.field).toBe('departedAt');
  expect((await become('in_transit', left)).status).toBe(200);
  expect((await become('delivered', there)).status).toBe(200);
  expect((await become('recalled', there)).status).toBe(200);
  expect((await become('planned')).body.message).toContain('that is its last status');
});

test('goods that have left stay in every recall', async () => {
  const fields = await shipmentFields();
  const left = { ...fields, departedAt: '2026-05-01T06:30:00Z' };
  const { originFacilityId, id } = (
    await records.send('POST', '/api/shipments', { ...left, status: 'in_transit' })
  ).body.data;
  const become = (body: object) => records.send('PUT', `/api/shipments/${id}`, body);
  expect((await become({ ...fields, status: 'held' })).body).toMatchObject({
    error: 'Status transition not allowed',
    message: 'A shipment that has left must keep a departedAt, which may change',
  });
  expect((await become({ ...left, status: 'held' })).status).toBe(200);
  for (const status of ['cancelled', 'planned']) {
    const named = await become({ ...left, status });
    expect([named.status, named.body.details.field]).toEqual([400, 'status']);
    const hidden = await become({ ...fields, status });
    expect([hidden.status, hidden.body.details.allowed]).toEqual([
      409,
      ['in_transit', 'delivered', 'rejected', 'recalled'],
    ]);
    const made = await records.send('POST', '/api/shipments', { ...left, status });
    expect([made.status, made.body.details.field]).toEqual([400, 'status']);
  }
  const traced = await records.get(`/api/facilities/${originFacilityId}/trace`);
  expect(traced.body.data.downstream.shipments).toMatchObject([{ id, status: 'held' }]);

  const unshipped = (await records.send('POST', '/api/shipments', { ...fields, status: 'held' })).body.data;
  const cancelled = await records.send('PUT', `/api/shipments/${unshipped.id}`, {
    ...fields,
    status: 'cancelled',
  });
  expect(cancelled.status).toBe(200);
});

test.each([
  ['facilities', { kind: 'port' }, 'name'],
  ['facilities', { ...FACILITY, kind: 'moon' }, 'kind'],
  ['facilities', { ...FACILITY, colour: 'red' }, 'colour'],
  ['facilities', { ...FACILITY, gln: '1234567890123' }, 'gln'],
  ['facilities', { ...FACILITY, address: { city: 'X', countryCode: 'nl' } }, 'address.countryCode'],
  ['facilities', { ...FACILITY, coordinates: { latitude: 91, longitude: 0 } }, 'coordinates.latitude'],
  ['facilities', { ...FACILITY, id: '../etc' }, 'id'],
  ['contaminants', { name: 'Lead', class: 'chemical', unit: 'kg' }, 'unit'],
  [
    'contaminants',
    { name: 'Lead', class: 'chemical', unit: 'mg/kg', detections: [{ detectedAt: '2026-01-01T00:00:00Z' }] },
    'detections[0].facilityId',
  ],
  [
    'inspections',
    { inspector: { name: 'I' }, inspectedAt: '2026-01-01T00:00:00Z', result: 'passed' },
    'facilityId',
  ],
  [
    'inspections',
    { facilityId: 'none', inspector: { name: 'I' }, inspectedAt: '2026-01-01T00:00:00Z', result: 'passed' },
    'facilityId',
  ],
  [
    'inspections',
    { facilityId: 'none', inspector: { name: 'I' }, inspectedAt: '2026-02-30T00:00:00Z', result: 'passed' },
    'inspectedAt',
  ],
  ['inspections', { inspector: { name: 'I' }, inspectedAt: 'soon', result: 'passed' }, 'inspectedAt'],
])('%s: %j is refused and the field named', async (collection, fields, field) => {
  const { status, body } = await records.send('POST', `/api/${collection}`, fields);
  expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', field]);
  expect(body.message).toBe(body.details.message);
});

test.each([
  [{ originFacilityId: 'none' }, 'originFacilityId'],
  [{ contents: [] }, 'contents'],
  [{ contents: [{ product: 'Cocoa', quantityKilograms: 0 }] }, 'contents[0].quantityKilograms'],
  [
    { contents: ['\ud800', '\ud801'].map((lot) => ({ product: 'Cocoa', quantityKilograms: 1, lot })) },
    'contents[0].lot',
  ],
  [{ plannedDepartureAt: undefined }, 'plannedDepartureAt'],
  [{ plannedArrivalAt: '2026-05-01T05:59:00Z' }, 'plannedArrivalAt'],
  [{ plannedDepartureAt: '2026-05-01 08:00' }, 'plannedDepartureAt'],
  [{ plannedDepartureAt: '9999-12-31T23:59:59-01:00' }, 'plannedDepartureAt'],
  [{ plannedDepartureAt: '0000-01-01T00:00:00+01:00' }, 'plannedDepartureAt'],
  [{ status: 'in_transit' }, 'departedAt'],
])('a shipment with %j is refused', async (rest, field) => {
  const { status, body } = await records.send('POST', '/api/shipments', await shipmentFields(rest));
  expect([status, body.details.field]).toEqual([400, field]);
});

test('nothing is deleted that is referred to, unless all of it may go', async () => {
  const shipped = (await records.send('POST', '/api/shipments', await shipmentFields())).body.data;
  const at = '2026-05-01T10:00:00Z';
  const inspection = await records.send('POST', '/api/inspections', {
    shipmentId: shipped.id,
    inspector: { name: 'I' },
    inspectedAt: at,
    result: 'failed',
  });
  const contaminant = await records.send('POST', '/api/contaminants', {
    name: 'Ochratoxin A',
    class: 'chemical',
    unit: 'µg/kg',
    detections: [
      { shipmentId: shipped.id, detectedAt: at },
      { lot: 'C-1', detectedAt: at },
    ],
  });
  const path = `/api/facilities/${shipped.originFacilityId}`;
  const refused = await records.send('DELETE', path);
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      error: 'Record in use',
      details: { referredToBy: [{ collection: 'shipments', id: shipped.id, field: 'originFacilityId' }] },
    },
  ]);
  const gone = await records.send('DELETE', `${path}?cascade=true`);
  expect(gone.body.data).toEqual({
    deleted: true,
    counts: { facilities: 1, shipments: 1, inspections: 1, contaminants: 0, detections: 1 },
  });
  expect((await records.get(`/api/inspections/${inspection.body.data.id}`)).status).toBe(404);
  const left = (await records.get(`/api/contaminants/${contaminant.body.data.id}`)).body.data;
  expect(left).toMatchObject({ version: 2, detections: [{ lot: 'C-1' }] });
});

describe('lists', () => {
  const city = 'Zwolle';
  beforeAll(async () => {
    for (const [n, kind] of ['farm', 'port', 'farm', 'processor', 'farm'].entries()) {
      await madeFacility({
        name: `Place ${n} Café`,
        kind,
        address: { city, countryCode: 'NL' },
        capacity: { storageTonnes: n + 1 },
      });
    }
  });
  const list = (query: string) => records.get(`/api/facilities?city=${encodeURIComponent(city)}${query}`);
  const names = async (query: string): Promise<string[]> =>
    (await list(query)).body.data.facilities.map(({ name }: { name: string }) => Number(name.split(' ')[1]));

  test('are filtered, sorted and paged', async () => {
    const all = await list('');
    expect([all.status, all.body.message, all.body.data.total]).toEqual([200, 'Found 5 facilities', 5]);
    expect(all.body.data).not.toHaveProperty('next');
    expect(await names('')).toEqual([4, 3, 2, 1, 0]);
    expect(await names('&sort=createdAt')).toEqual([0, 1, 2, 3, 4]);
    expect(await names('&sort=name&kind=farm')).toEqual([0, 2, 4]);
    expect(await names('&sort=name&kind=farm&kind=port')).toEqual([0, 1, 2, 4]);
    expect(await names('&sort=name&storageTonnesMin=2&storageTonnesMax=4')).toEqual([1, 2, 3]);
    expect(await names('&storageTonnes=2')).toEqual([1]);
    expect(await names('&q=cafe+3')).toEqual([3]);
    expect(await names('&createdAtFrom=2020-01-01&createdAtTo=2020-12-31')).toEqual([]);
    const first = await list('&limit=2&sort=name');
    expect(first.body.data.total).toBe(5);
    const second = await list(`&limit=2&sort=name&cursor=${first.body.data.next}`);
    expect(second.body.data.facilities.map(({ name }: { name: string }) => name)).toEqual([
      'Place 2 Café',
      'Place 3 Café',
    ]);
  });

  test('refuse a filter that is none, and tell the known ones', async () => {
    const { status, body } = await records.get('/api/facilities?colour=red');
    expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', 'colour']);
    expect(body.message).toMatch(/^colour is not known; known are q, name, kind, .*cursor$/);
    expect((await records.get('/api/shipments?departureAtFrom=soon')).body.details.field).toBe(
      'departureAtFrom',
    );
    for (const [query, field] of [
      ['kind=moon', 'kind'],
      ['sort=size', 'sort'],
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['cursor=none', 'cursor'],
      ['storageTonnesMin=x', 'storageTonnesMin'],
      ['storageTonnesMin=', 'storageTonnesMin'],
      ['storageTonnes=%20', 'storageTonnes'],
      ['toString=1', 'toString'],
      [`q=${'a+'.repeat(10)}b`, 'q'],
    ]) {
      const answer = await records.get(`/api/facilities?${query}`);
      expect([answer.status, answer.body.details.field]).toEqual([400, field]);
    }
    expect((await records.get(`/api/facilities?q=${'a+'.repeat(9)}b`)).status).toBe(200);
    const next = (await list('&limit=1')).body.data.next;
    expect((await list(`&limit=1&sort=name&cursor=${next}`)).body.message).toContain('sort=-createdAt');
  });
});

test('a deletion refuses a parameter that is none, and tells the known one', async () => {
  const id = await madeFacility();
  const answer = await records.send('DELETE', `/api/facilities/${id}?cascad=true`);
  expect([answer.status, answer.body.message]).toEqual([400, 'cascad is not known; the nearest is cascade']);
  expect((await records.get(`/api/facilities/${id}`)).status).toBe(200);
});

test('an error of any path is in the form of the area', async () => {
  const { status, body } = await records.get('/api/nowhere');
  expect([status, body.error, body.message]).toEqual([
    404,
    'Not found',
    'There is nothing at GET /api/nowhere',
  ]);
  const method = await records.send('PATCH', '/api/shipments');
  expect([method.status, method.body.error, method.headers.get('allow')]).toEqual([
    405,
    'Method not allowed',
    'GET, HEAD, POST',
  ]);
});
