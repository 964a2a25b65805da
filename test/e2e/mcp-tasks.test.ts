import {
  callForTask,
  connectMcp,
  taskIn,
  taskRequest,
  TASKS,
  textOf,
  type McpConnection,
} from '../support/mcp';
import { bearer, type Key, runKeys } from '../support/keys';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

let stage: Stage;
let api: Api;
let key: Record<string, string>;
let other: Record<string, string>;
let connection: McpConnection;
const capabilities = { elicitation: {}, extensions: { [TASKS]: {} } };

async function createKey(...args: string[]): Promise<Record<string, string>> {
  const name = ['create', '--name', 'a', '--scopes', 'read,run,tools'];
  return bearer((await runKeys<Key>(stage.dataDir, ...name, ...args)).key);
}

beforeAll(async () => {
  stage = await openStage();
  [api] = await Promise.all([stage.api({ AUTH: 'keys' }), stage.worker()]);
  key = await createKey();
  other = await createKey();
  const tool = {
    name: 'guarded',
    parameters: { text: 'string' },
    execute: '(args) => args.text.toUpperCase()',
    requiresApproval: true,
  };
  expect((await api.post('/api/tools/register', tool, key)).status).toBe(201);
  connection = await connectMcp(api.url, 'modern', { headers: key, capabilities });
});
afterAll(async () => {
  await connection.close();
  await stage.close();
});

const call = (name: string, args: object) => callForTask(api.url, name, args, key);
const held = (name: string) => call('api_call', { url: `${stage.peer.url}/held/${name}` });

test('a short call has its result at once', async () => {
  const result = await waitFor(
    async () => {
      const answer = await call('calculator', { operation: 'add', a: 1, b: 2 });
      return answer.resultType === 'task' ? undefined : answer;
    },
    { what: 'a call to end before it becomes a task' },
  );
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { result: 3 } });
});

test('a long call is a task, which any client of the caller asks for its result', async () => {
  const task = await held('result');
  expect(task).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, pollIntervalMs: 1_000 });
  expect(task.taskId).toMatch(/^v1\.[\w-]{100,}$/);
  stage.peer.release('/held/result');
  const { result, ttlMs } = await taskIn(connection, task.taskId, 'completed');
  expect(result.structuredContent).toMatchObject({ data: { path: '/held/result' } });
  expect(ttlMs).toBeGreaterThan(0);
});

test('a task is cancelled, also again after its end', async () => {
  const { taskId } = await held('cancelled');
  expect(await taskRequest(connection, 'tasks/cancel', { taskId })).toMatchObject({});
  await taskIn(connection, taskId, 'cancelled');
  await taskRequest(connection, 'tasks/cancel', { taskId });
});

test('a task that waits for an approval takes the answer as input', async () => {
  const { taskId } = await call('guarded', { text: 'hello' });
  const { inputRequests } = await taskIn(connection, taskId, 'input_required');
  const [[id, request]] = Object.entries(inputRequests as Record<string, object>) as [[string, object]];
  expect(request).toMatchObject({ method: 'elicitation/create', params: { mode: 'form' } });
  const answer = (inputResponses: object) =>
    taskRequest(connection, 'tasks/update', { taskId, inputResponses });
  await answer({ unknown: { action: 'accept', content: { confirm: true } }, [id]: { action: 'cancel' } });
  expect((await taskRequest(connection, 'tasks/get', { taskId })).status).toBe('input_required');
  await answer({ [id]: { action: 'accept', content: { confirm: true } } });
  expect((await taskRequest(connection, 'tasks/get', { taskId })).inputRequests).toBeUndefined();
  const { result } = await taskIn(connection, taskId, 'completed');
  expect(textOf(result)).toBe('HELLO');
  await answer({ [id]: { action: 'decline' } });
  // The caller may be the subject of a token, which is no matter for a log.
  const line = await api.process.line('an approval was answered');
  expect([line['approvalId'], line['status'], line['by']]).toEqual([id, 'approved', undefined]);
});

test('a denied call is a completed task with a failure', async () => {
  const { taskId } = await call('guarded', { text: 'hello' });
  const { inputRequests } = await taskIn(connection, taskId, 'input_required');
  const inputResponses = { [Object.keys(inputRequests)[0]!]: { action: 'decline' } };
  await taskRequest(connection, 'tasks/update', { taskId, inputResponses });
  const { result } = await taskIn(connection, taskId, 'completed');
  expect([result.isError, result._meta['holdfast/code']]).toEqual([true, 'APPROVAL_DENIED']);
});

test('a task of another caller, an invented one and a client without tasks are refused', async () => {
  const { taskId } = await held('own');
  const stranger = await connectMcp(api.url, 'modern', { headers: other, capabilities });
  for (const [who, id] of [
    [stranger, taskId],
    [connection, 'v1.invented'],
  ] as const)
    await expect(taskRequest(who, 'tasks/get', { taskId: id })).rejects.toMatchObject({ code: -32602 });
  await stranger.close();
  const plain = await connectMcp(api.url, 'modern', { headers: key });
  await expect(taskRequest(plain, 'tasks/get', { taskId })).rejects.toMatchObject({ code: -32021 });
  await plain.close();
  await taskRequest(connection, 'tasks/cancel', { taskId });
  await taskIn(connection, taskId, 'cancelled');
});
