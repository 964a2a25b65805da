import { openRecords, type RecordsApi } from '../support/records-api';

const LISTED = 'https://app.example';
const FOREIGN = 'https://elsewhere.example';

const FACILITY = { name: 'Dock 9', kind: 'port', address: { city: 'Rotterdam', countryCode: 'NL' } };

async function withRecords(
  env: Record<string, string>,
  use: (records: RecordsApi) => Promise<void>,
): Promise<void> {
  const records = await openRecords(env);
  try {
    await use(records);
  } finally {
    await records.close();
  }
}

const preflight = (records: RecordsApi, origin: string, method: string) =>
  records.send('OPTIONS', '/api/facilities/x', undefined, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'content-type,if-match',
  });
const create = (records: RecordsApi, origin: string) =>
  records.send('POST', '/api/facilities', FACILITY, { origin });
const read = (records: RecordsApi, origin: string) =>
  records.send('GET', '/api/facilities/none', undefined, { origin });
const allowed = 'access-control-allow-origin';

test('pages of any origin may read; those listed and those of this machine may change', () =>
  withRecords({ RECORDS_CORS_ORIGINS: `*, ${LISTED}` }, async (records) => {
    for (const origin of [LISTED, 'http://localhost:5173', records.url]) {
      const asked = await preflight(records, origin, 'PUT');
      expect(asked.status).toBe(204);
      expect(asked.headers.get(allowed)).toBe(origin);
      expect(asked.headers.get('access-control-allow-methods')).toContain('PUT');
      expect(asked.headers.get('access-control-allow-headers')).toContain('If-Match');
      const created = await create(records, origin);
      expect([created.status, created.headers.get(allowed)]).toEqual([201, origin]);
      expect(created.headers.get('access-control-expose-headers')).toContain('ETag');
    }
    const asked = await preflight(records, FOREIGN, 'PUT');
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET,HEAD');
    const found = await read(records, FOREIGN);
    expect([found.status, found.headers.get(allowed), found.headers.get('vary')]).toEqual([
      404,
      '*',
      'Origin',
    ]);
    const refused = await create(records, FOREIGN);
    expect([refused.status, refused.body.error]).toEqual([403, 'Host not allowed']);
    expect((await records.get('/api/facilities')).body.data.total).toBe(3);
  }));

test('without a star a page of another origin reads nothing', () =>
  withRecords({ RECORDS_CORS_ORIGINS: LISTED }, async (records) => {
    expect((await read(records, LISTED)).headers.get(allowed)).toBe(LISTED);
    expect((await read(records, FOREIGN)).headers.has(allowed)).toBe(false);
    expect((await preflight(records, FOREIGN, 'GET')).headers.has(allowed)).toBe(false);
  }));
