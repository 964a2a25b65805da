import { randomUUID } from 'node:crypto';
import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import { connectMcp } from '../support/mcp';
import type { PartProcess } from '../support/process';
import { type Api, openStage, type Stage } from '../support/stage';
import { killTemporal } from '../support/temporal-server';
import { waitFor } from '../support/wait';
import { beginTask, endedTask, postTo, readTask, resultOf } from './killed/mcp';

/** The client's limit of a call is no limit of the test. */
const timeout = 240_000;

let stage: Stage;
let temporal: PartProcess;
let api: Api;

beforeAll(async () => {
  stage = await openStage({ ownTemporal: true });
  temporal = await stage.temporal();
  [api] = await Promise.all([stage.api(), stage.worker()]);
});
afterAll(() => stage.close());

test('the death of Temporal is an error of new requests and a delay of calls, which happen once', async () => {
  const on = { stage, api };
  const task = await beginTask(on, '/held/late', postTo(on, '/held/late'));
  const client = await connectMcp(api.url, 'modern');
  const calls = ['/held/early', '/held/other'].map((path, n) =>
    client.client.callTool(postTo(on, path), {
      timeout,
      ...(n === 0 ? {} : { onprogress: () => undefined }),
    }),
  );
  await Promise.all(['/held/early', '/held/other'].map((path) => stage.peer.arrived(path)));

  await killTemporal(stage, temporal);
  const away = { code: ProtocolErrorCode.InternalError, data: { code: 'ENGINE_UNAVAILABLE' } };
  const key = { _meta: { 'holdfast/idempotencyKey': randomUUID() } };
  const addUp = () =>
    client.client.callTool({ name: 'calculator', arguments: { operation: 'add', a: 2, b: 2 }, ...key });
  await Promise.all([
    expect(readTask(on, task)).rejects.toMatchObject(away),
    expect(addUp()).rejects.toMatchObject(away),
  ]);
  // One call ends while its worker cannot reach the server, the others later.
  stage.peer.release('/held/early');
  temporal = await stage.temporal();
  await waitFor(async () => (await api.get('/api/health')).status === 200, { what: 'health to recover' });
  stage.peer.release('/held/other');
  stage.peer.release('/held/late');

  const [early, other] = await Promise.all(calls);
  expect(early).toMatchObject(resultOf('/held/early'));
  expect(other).toMatchObject(resultOf('/held/other'));
  expect((await endedTask(on, task)).result).toMatchObject(resultOf('/held/late'));
  expect((await addUp()).structuredContent).toEqual({ result: 4 });
  await client.close();
  expect(['/held/early', '/held/other', '/held/late'].map(stage.peer.count)).toEqual([1, 1, 1]);
});
