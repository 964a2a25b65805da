import { randomUUID } from 'node:crypto';
import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import {
  callForTask,
  connectMcp,
  readRunResource,
  runOf,
  taskIn,
  taskRequest,
  TASKS,
  type McpConnection,
} from '../support/mcp';
import type { PartProcess } from '../support/process';
import { type Api, openStage, type Stage } from '../support/stage';
import type { RunIds } from '../support/stop-runs';
import { killTemporal } from '../support/temporal-server';
import { waitFor } from '../support/wait';
import { fetchStep } from '../support/workflow-steps';

const capabilities = { extensions: { [TASKS]: {} } };
/** The client's limit of a call is no limit of the test. */
const timeout = 240_000;

let stage: Stage;
let temporal: PartProcess;
let worker: PartProcess;
let api: Api;

/** The kills follow one another on one stage, since each leaves the service whole. */
beforeAll(async () => {
  stage = await openStage({ ownTemporal: true });
  temporal = await stage.temporal();
  [api, worker] = await Promise.all([stage.api(), stage.worker()]);
});
afterAll(() => stage.close());

const url = (path: string): string => stage.peer.url + path;
const fetchFrom = (path: string) => ({ name: 'api_call', arguments: { url: url(path) } });
const postTo = (path: string) => ({ name: 'api_call', arguments: { url: url(path), method: 'POST' } });

/** Begins a call as a task, and waits until its request is at the peer. */
async function beginTask(path: string, { name, arguments: args } = fetchFrom(path)): Promise<string> {
  const task = await callForTask(api.url, name, args);
  expect(task).toMatchObject({ resultType: 'task', status: 'working' });
  await stage.peer.arrived(path);
  return task.taskId;
}

/** Uses a client that knows nothing of earlier ones. */
async function asNewClient<T>(use: (connection: McpConnection) => Promise<T>): Promise<T> {
  const connection = await connectMcp(api.url, 'modern', { capabilities });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

const readTask = (taskId: string) =>
  asNewClient((connection) => taskRequest(connection, 'tasks/get', { taskId }));
const endedTask = (taskId: string) => asNewClient((connection) => taskIn(connection, taskId, 'completed'));

/** What a call of the peer results in. */
const answered = (path: string) => ({ structuredContent: { status: 200, data: { path } } });

test('the death of the worker delays calls, and a call with an effect is not made again', async () => {
  // An order is a workflow, because its step has a time limit.
  const order = fetchStep('pay', url('/held/order'), { method: 'POST' }, { timeout: 5_000 });
  const stored = { id: 'order', name: 'Order', description: 'Orders', steps: [order] };
  expect((await api.post('/api/workflow/workflows', stored)).status).toBe(201);
  const [tea, bought] = await Promise.all([
    beginTask('/held/tea'),
    beginTask('/held/order', { name: 'workflow_order', arguments: {} as never }),
  ]);
  const client = await connectMcp(api.url, 'modern');
  const plain = client.client.callTool(fetchFrom('/held/plain'), { timeout });
  await stage.peer.arrived('/held/plain');

  await worker.kill();
  expect((await readTask(tea)).status).toBe('working');
  worker = await stage.worker();
  await Promise.all(['/held/tea', '/held/plain'].map((path) => stage.peer.arrived(path, 2)));
  stage.peer.release('/held/tea');
  stage.peer.release('/held/plain');

  expect(await plain).toMatchObject(answered('/held/plain'));
  await client.close();
  expect((await endedTask(tea)).result).toMatchObject(answered('/held/tea'));
  const { result } = await endedTask(bought);
  expect(result).toMatchObject({ isError: true, _meta: { 'holdfast/code': 'WORKFLOW_EXECUTION_FAILED' } });
  expect(stage.peer.count('/held/order')).toBe(1);
});

test('the death of the API breaks calls off, whose runs and tasks are found at the next one', async () => {
  const paths = ['/held/task', '/held/quiet', '/held/reported'];
  const task = await beginTask('/held/task', postTo('/held/task'));
  const lost = await connectMcp(api.url, 'modern');
  const call = { ...postTo('/held/quiet'), _meta: { 'holdfast/idempotencyKey': randomUUID() } };
  const quiet = expect(lost.client.callTool(call, { timeout })).rejects.toThrow('fetch failed');
  const { run, broken } = await callWithProgress(lost, postTo('/held/reported'));
  await Promise.all(paths.map((path) => stage.peer.arrived(path)));
  await api.process.kill();
  await quiet;
  await Promise.all([broken, lost.close()]);

  api = await stage.api();
  expect((await readTask(task)).status).toBe('working');
  const readRun = () => asNewClient((connection) => readRunResource(connection, run));
  expect((await readRun()).status).toBe('running');
  const repeated = asNewClient(({ client }) => client.callTool(call, { timeout }));
  for (const path of paths) stage.peer.release(path);
  expect(await repeated).toMatchObject(answered('/held/quiet'));
  expect((await endedTask(task)).result).toMatchObject(answered('/held/task'));
  const record = await waitFor(
    async () => {
      const read = await readRun();
      return read.status === 'completed' ? read : undefined;
    },
    { what: 'the run to end' },
  );
  expect(record.result.result).toMatchObject({ data: { path: '/held/reported' } });
  expect(paths.map(stage.peer.count)).toEqual([1, 1, 1]);
});

/**
 * Calls a tool with reports of its progress, from which the client knows the run. The client's package does not end such a call
 * when its stream breaks off, but at its time limit or with the client.
 */
async function callWithProgress(
  { client }: McpConnection,
  call: ReturnType<typeof postTo>,
): Promise<{ run: RunIds; broken: Promise<void> }> {
  const seen: { _meta?: Record<string, unknown> }[] = [];
  // The type of the client's package leaves out the metadata.
  const onprogress = (progress: object): void => void seen.push(progress);
  const broken = expect(client.callTool(call, { timeout, onprogress })).rejects.toThrow('Connection closed');
  return { run: runOf(await waitFor(() => seen[0], { what: 'the first progress' })), broken };
}

test('the death of Temporal is an error of new requests and a delay of calls, which happen once', async () => {
  const task = await beginTask('/held/late', postTo('/held/late'));
  const client = await connectMcp(api.url, 'modern');
  const calls = ['/held/early', '/held/other'].map((path, n) =>
    client.client.callTool(postTo(path), { timeout, ...(n === 0 ? {} : { onprogress: () => undefined }) }),
  );
  await Promise.all(['/held/early', '/held/other'].map((path) => stage.peer.arrived(path)));

  await killTemporal(stage, temporal);
  const away = { code: ProtocolErrorCode.InternalError, data: { code: 'ENGINE_UNAVAILABLE' } };
  const key = { _meta: { 'holdfast/idempotencyKey': randomUUID() } };
  const addUp = () =>
    client.client.callTool({ name: 'calculator', arguments: { operation: 'add', a: 2, b: 2 }, ...key });
  await Promise.all([
    expect(readTask(task)).rejects.toMatchObject(away),
    expect(addUp()).rejects.toMatchObject(away),
  ]);
  // One call ends while its worker cannot reach the server, the others later.
  stage.peer.release('/held/early');
  temporal = await stage.temporal();
  await waitFor(async () => (await api.get('/api/health')).status === 200, { what: 'health to recover' });
  stage.peer.release('/held/other');
  stage.peer.release('/held/late');

  const [early, other] = await Promise.all(calls);
  expect(early).toMatchObject(answered('/held/early'));
  expect(other).toMatchObject(answered('/held/other'));
  expect((await endedTask(task)).result).toMatchObject(answered('/held/late'));
  expect((await addUp()).structuredContent).toEqual({ result: 4 });
  await client.close();
  expect(['/held/early', '/held/other', '/held/late'].map(stage.peer.count)).toEqual([1, 1, 1]);
});
