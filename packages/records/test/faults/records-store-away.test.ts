import { openRecords, type RecordsApi } from '../support/records-api';
import { holdWriteLock } from '../../../../test/support/write-lock';

const FACILITY = { name: 'Dock 9', kind: 'port', address: { city: 'Rotterdam', countryCode: 'NL' } };

let records: RecordsApi;
beforeAll(async () => {
  records = await openRecords();
});
afterAll(() => records.close());

test('while the store cannot be written to, changes are a 503 and reads go on', async () => {
  const { id } = (await records.send('POST', '/api/facilities', FACILITY)).body.data;
  const release = holdWriteLock(records.dataDir, 'records.db');
  try {
    for (const [method, path] of [
      ['POST', '/api/facilities'],
      ['PUT', `/api/facilities/${id}`],
      ['DELETE', `/api/facilities/${id}`],
    ] as const) {
      const { status, headers, body } = await records.send(
        method,
        path,
        method === 'DELETE' ? undefined : FACILITY,
      );
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(body).toMatchObject({
        success: false,
        error: 'Service unavailable',
        message: 'The data store is busy',
        details: { service: 'database', reason: 'The data store is busy' },
      });
    }
    expect((await records.get(`/api/facilities/${id}`)).body.data.version).toBe(1);
    expect((await records.get('/api/facilities')).body.data.total).toBe(1);
  } finally {
    release();
  }
  expect((await records.send('PUT', `/api/facilities/${id}`, FACILITY)).status).toBe(200);
});
