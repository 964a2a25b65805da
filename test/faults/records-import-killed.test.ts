import { get } from '../support/http';
import { facilityRows, reportOf, upload } from '../support/imports';
import { openStage, type Stage } from '../support/stage';

const ROWS = 20_000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test('an import whose run was ended from outside is told as failed', async () => {
  const records = stage.spawn('records');
  const url = String((await records.line('the records API is listening'))['url']);
  const started = await upload(url, facilityRows(3, 'ended'));
  const { id } = started.body.data;
  expect((await reportOf(url, id, () => true)).state).toBe('running');
  await stage.client.workflow.getHandle(started.headers.get('x-workflow-id') ?? '').terminate();
  expect(await reportOf(url, id, ({ state }) => state !== 'running')).toMatchObject({
    state: 'failed',
    rows: 0,
  });
});

test('an import goes on where a killed worker left it, and creates each record once', async () => {
  const records = stage.spawn('records');
  const url = String((await records.line('the records API is listening'))['url']);
  const worker = await stage.worker();
  const { id } = (await upload(url, facilityRows(ROWS))).body.data;
  const before = await reportOf(url, id, ({ rows }) => rows > 0);
  await worker.kill();
  expect(before.state).toBe('running');
  expect((await get(`${url}/api/imports/${id}`)).body.data.rows).toBeLessThan(ROWS);
  await stage.worker();
  const report = await reportOf(url, id);
  expect(report).toMatchObject({ rows: ROWS, created: ROWS, present: 0, failed: 0, errors: [] });
  const listed = (await get(`${url}/api/facilities?limit=1&sort=-updatedAt`)).body.data;
  expect(listed).toMatchObject({ total: ROWS, facilities: [{ version: 1 }] });
});
