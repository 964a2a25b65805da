import { get as httpGet, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { DEMO_WORLD } from '../../domain/demo-world';
import { type Answer, get, send } from '../../../../test/support/http';
import { facilityRows, reportOf, upload } from '../../../../test/support/imports';
import { type Service, startService } from '../../../../test/support/service';
import { waitFor } from '../../../../test/support/wait';

const MANY = 3_000;
/** All records together exceed the buffers of sockets. */
const NOTES = 'x'.repeat(3_900);
const WORLD = (['facilities', 'shipments', 'contaminants', 'inspections'] as const).flatMap((collection) =>
  DEMO_WORLD[collection].map((fields) => JSON.stringify({ collection, ...fields })),
);

let full: Service;
let empty: Service;

beforeAll(async () => {
  [full, empty] = await Promise.all([startService(), startService()]);
  await imported(full, [
    ...WORLD,
    ...facilityRows(MANY).map((row) => row.replace('}}', `},"notes":"${NOTES}"}`)),
  ]);
});
afterAll(() => Promise.all([full.stop(), empty.stop()]));

const exported = (service: Service, path = ''): Promise<Answer> =>
  get(`${service.recordsUrl}/api/exports${path}`);

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into lines freely
type Line = any;

function linesOf({ text }: Answer): Line[] {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function imported(service: Service, rows: readonly string[]) {
  const started = await upload(service.recordsUrl, rows);
  return reportOf(service.recordsUrl, started.body.data.id);
}

function unread(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpGet(full.recordsUrl + path, resolve).on('error', reject);
  });
}

/** A record without the fields that its store adds. */
function fieldsOf(lines: readonly Line[]): object[] {
  return lines
    .map(({ version: _version, createdAt: _createdAt, updatedAt: _updatedAt, ...fields }) => fields)
    .sort((a, b) => (`${a.collection}/${a.id}` < `${b.collection}/${b.id}` ? -1 : 1));
}

test('an export of all is an import that makes the same records elsewhere', async () => {
  const answer = await exported(full);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="records.ndjson"');
  const lines = linesOf(answer);
  const count = WORLD.length + MANY;
  expect(lines.pop()).toEqual({ end: true, count });
  expect(lines).toHaveLength(count);

  const report = await imported(empty, answer.text.split('\n').slice(0, -1));
  expect(report).toMatchObject({ rows: count + 1, created: count, present: 0, failed: 0 });
  const again = linesOf(await exported(empty));
  expect(again.pop()).toEqual({ end: true, count });
  expect(fieldsOf(again)).toEqual(fieldsOf(lines));
});

test('one collection has the records as they are got one by one, from the oldest on', async () => {
  const lines = linesOf(await exported(full, '/shipments'));
  expect(lines.pop()).toEqual({ end: true, count: DEMO_WORLD.shipments.length });
  const order = lines.map(({ createdAt, id }) => `${createdAt} ${id}`);
  expect(order).toEqual([...order].sort());
  for (const { collection, ...record } of lines) {
    expect(collection).toBe('shipments');
    expect((await get(`${full.recordsUrl}/api/shipments/${record.id}`)).body.data).toEqual(record);
  }
});

test('the filters of the list apply, and nothing else does', async () => {
  const byLot = linesOf(await exported(full, '/shipments?lot=ROB-0412&q=robiola'));
  const listed = await get(`${full.recordsUrl}/api/shipments?lot=ROB-0412&q=robiola&sort=createdAt`);
  const ids = listed.body.data.shipments.map(({ id }: Line) => id);
  expect(ids).toHaveLength(6);
  expect(byLot.map(({ id }) => id)).toEqual([...ids, undefined]);
  const none = await get(`${full.recordsUrl}/api/v1/exports/facilities?createdAtTo=2001-01-01`);
  expect([none.status, none.text]).toEqual([200, '{"end":true,"count":0}\n']);
  for (const [path, field, named] of [
    ['/shipments?colour=red', 'colour', 'colour'],
    ['/shipments?sort=id', 'sort', 'sort'],
    ['?lot=ROB-0412', 'lot', 'lot'],
  ] as const) {
    const refused = await exported(full, path);
    expect([refused.status, refused.body.details.field, refused.body.message]).toEqual([
      400,
      field,
      expect.stringContaining(named),
    ]);
  }
  expect((await exported(full, '/moons')).status).toBe(404);
});

test('a line is what POST and PUT take, of its own collection alone; no id is hidden', async () => {
  const [line] = linesOf(await exported(full, '/facilities?q=lyon'));
  const path = `${full.recordsUrl}/api/facilities`;
  const copy = await send('POST', path, { ...line, id: 'export' });
  expect([copy.status, copy.body.data]).toMatchObject([201, { id: 'export', name: line.name, version: 1 }]);
  expect(copy.body.data).not.toHaveProperty('collection');
  expect((await send('PUT', `${path}/${line.id}`, line)).body.data.version).toBe(line.version + 1);
  expect((await get(`${path}/export`)).body.data).toEqual(copy.body.data);
  const other = await send('POST', path, { ...line, id: 'other', collection: 'shipments' });
  expect([other.status, other.body.details.field]).toEqual([400, 'collection']);
});

test('a slow reader gets what was there, once each, while records are created, changed and deleted', async () => {
  const path = `${full.recordsUrl}/api/facilities`;
  const response = await unread('/api/exports/facilities?kind=farm&q=farm');
  // Nothing was read so far, so most of the records are still in the store.
  for (let n = 0; n < 40; n += 1) {
    const { data } = (await get(`${path}/farm-${n * 70}`)).body;
    await send('POST', path, { ...data, id: `later-${n}` });
    await send('PUT', `${path}/${data.id}`, { ...data, notes: 'changed' });
    expect((await send('DELETE', `${path}/farm-${n * 70 + 1}`)).status).toBe(200);
  }
  const seen: Line[] = [];
  for await (const line of createInterface({ input: response })) {
    seen.push(JSON.parse(line));
    if (seen.length % 1_000 === 0) await get(`${full.recordsUrl}/livez`);
  }
  const end = seen.pop();
  const ids = seen.map(({ id }) => id as string);
  expect(end).toEqual({ end: true, count: ids.length });
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id.startsWith('later'))).toEqual([]);
  const stayed = Array.from({ length: MANY }, (_, n) => n).filter((n) => n % 70 !== 1 || n > 39 * 70 + 1);
  expect(stayed.filter((n) => !new Set(ids).has(`farm-${n}`))).toEqual([]);
  // The export continued during the writes: some of the changed and deleted records were read before and some after.
  expect(seen.some(({ notes }) => notes === 'changed')).toBe(true);
  expect(ids.length).toBeLessThan(MANY + WORLD.length);
});

test('an export is given up when its caller goes away', async () => {
  const path = '/api/exports/facilities?kind=farm';
  const response = await unread(path);
  response.on('error', () => undefined);
  response.destroy();
  await waitFor(
    () =>
      full.process.lines.some(
        ({ path: asked, aborted }) => asked === '/api/exports/facilities' && aborted === true,
      ),
    {
      what: 'the export to be given up',
    },
  );
  expect(full.process.lines.filter(({ level }) => Number(level) >= 50 || level === 'error')).toEqual([]);
});
