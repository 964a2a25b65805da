import { randomUUID } from 'node:crypto';
import type { Answer } from '../../support/http';
import {
  callForTask,
  connectMcp,
  type McpConnection,
  readRunResource,
  runOf,
  taskIn,
  taskRequest,
  TASKS,
} from '../../support/mcp';
import { type RemoteMcp, startRemoteMcp, text } from '../../support/remote-mcp';
import type { Api, Stage } from '../../support/stage';
import type { RunIds } from '../../support/stop-runs';
import { waitFor } from '../../support/wait';
import { fetchStep } from '../../support/workflow-steps';
import type { Work } from './work';

const capabilities = { extensions: { [TASKS]: {} } };
/** The client's limit of a call is no limit of the test. */
const timeout = 240_000;

/** What the calls of MCP clients need of the processes at present. */
export type Served = { readonly stage: Stage; readonly api: Api };

export const fetchFrom = ({ stage }: Served, path: string) => ({
  name: 'api_call',
  arguments: { url: stage.peer.url + path },
});
export const postTo = ({ stage }: Served, path: string) => ({
  name: 'api_call',
  arguments: { url: stage.peer.url + path, method: 'POST' },
});

/** Begins a call as a task, and waits until its request is at the peer. */
export async function beginTask(
  on: Served,
  path: string,
  { name, arguments: args }: { name: string; arguments: object } = fetchFrom(on, path),
): Promise<string> {
  const task = await callForTask(on.api.url, name, args);
  expect(task).toMatchObject({ resultType: 'task', status: 'working' });
  await on.stage.peer.arrived(path);
  return task.taskId;
}

/** Uses a client that knows nothing of earlier ones. */
export async function asNewClient<T>(
  { api }: Served,
  use: (connection: McpConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectMcp(api.url, 'modern', { capabilities });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

export const readTask = (on: Served, taskId: string) =>
  asNewClient(on, (connection) => taskRequest(connection, 'tasks/get', { taskId }));
export const endedTask = (on: Served, taskId: string) =>
  asNewClient(on, (connection) => taskIn(connection, taskId, 'completed'));

/** What a call of the peer results in. */
export const resultOf = (path: string) => ({
  structuredContent: { status: 200, data: { path }, headers: expect.any(Object) },
});

export const delayedCalls: Work = {
  name: 'calls of MCP clients are delayed, and a call with an effect is not made again',
  counted: { succeeded: 2, failed: 1 },
  async begin(on) {
    const { stage, api } = on;
    // An order is a workflow, because its step has a time limit.
    const order = fetchStep(
      'pay',
      `${stage.peer.url}/held/mcp/order`,
      { method: 'POST' },
      { timeout: 5_000 },
    );
    const stored = { id: 'order', name: 'Order', description: 'Orders', steps: [order] };
    expect((await api.post('/api/workflow/workflows', stored)).status).toBe(201);
    const [tea, bought] = await Promise.all([
      beginTask(on, '/held/mcp/tea'),
      beginTask(on, '/held/mcp/order', { name: 'workflow_order', arguments: {} }),
    ]);
    const client = await connectMcp(api.url, 'modern');
    const plain = client.client.callTool(fetchFrom(on, '/held/mcp/plain'), { timeout });
    await stage.peer.arrived('/held/mcp/plain');
    return {
      whileGone: async () => expect((await readTask(on, tea)).status).toBe('working'),
      async resume() {
        await Promise.all(['/held/mcp/tea', '/held/mcp/plain'].map((path) => stage.peer.arrived(path, 2)));
        for (const path of ['/held/mcp/tea', '/held/mcp/plain']) stage.peer.release(path);
      },
      async holds() {
        expect(await plain).toMatchObject(resultOf('/held/mcp/plain'));
        await client.close();
        expect((await endedTask(on, tea)).result).toMatchObject(resultOf('/held/mcp/tea'));
        const { result } = await endedTask(on, bought);
        expect(result).toMatchObject({
          isError: true,
          _meta: { 'holdfast/code': 'WORKFLOW_EXECUTION_FAILED' },
        });
        expect(stage.peer.count('/held/mcp/order')).toBe(1);
      },
    };
  },
};

export const brokenCalls: Work = {
  name: 'calls of MCP clients break off, and their runs and tasks are found at the next one',
  counted: { succeeded: 3 },
  async begin(on) {
    const { peer } = on.stage;
    const paths = ['/held/mcp/task', '/held/mcp/quiet', '/held/mcp/reported'] as const;
    const [asTask, withKey, reported] = paths;
    const task = await beginTask(on, asTask, postTo(on, asTask));
    const lost = await connectMcp(on.api.url, 'modern');
    const call = { ...postTo(on, withKey), _meta: { 'holdfast/idempotencyKey': randomUUID() } };
    const quiet = expect(lost.client.callTool(call, { timeout })).rejects.toThrow('fetch failed');
    const { run, broken } = await callWithProgress(lost, postTo(on, reported));
    await Promise.all(paths.map((path) => peer.arrived(path)));
    let repeated: Promise<unknown>;
    const readRun = () => asNewClient(on, (connection) => readRunResource(connection, run));
    return {
      async resume() {
        await quiet;
        await Promise.all([broken, lost.close()]);
        expect((await readTask(on, task)).status).toBe('working');
        expect((await readRun()).status).toBe('running');
        repeated = asNewClient(on, ({ client }) => client.callTool(call, { timeout }));
        for (const path of paths) peer.release(path);
      },
      async holds() {
        expect(await repeated).toMatchObject(resultOf(withKey));
        expect((await endedTask(on, task)).result).toMatchObject(resultOf(asTask));
        const record = await waitFor(
          async () => {
            const read = await readRun();
            return read.status === 'completed' ? read : undefined;
          },
          { what: 'the run to end' },
        );
        expect(record.result.result).toMatchObject({ data: { path: reported } });
        expect(paths.map(peer.count)).toEqual([1, 1, 1]);
      },
    };
  },
};

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

/** A call of a remote server's tool, which holds its first call and answers every later one. */
function remoteCall(
  tool: 'find' | 'buy',
  options: object,
  {
    expectations,
    ...work
  }: Pick<Work, 'name' | 'counted'> & {
    expectations(answer: Answer, keys: readonly unknown[]): void;
  },
): Work {
  const server = `${tool}-shop`;
  let shop: RemoteMcp;
  let release = (): void => undefined;
  return {
    ...work,
    async prepare({ api }) {
      const held = new Promise<void>((resolve) => (release = resolve));
      const call = async () => {
        // The first call waits, and is in the hands of the worker that dies.
        if (shop.calls.length === 1) await held;
        return text('tea');
      };
      shop = await startRemoteMcp({ find: { annotations: { readOnlyHint: true }, call }, buy: { call } });
      expect((await api.post('/api/mcp-servers', { name: server, url: shop.url })).status).toBe(201);
    },
    async begin({ api }) {
      const calling = api.post('/api/tools/execute', { toolName: `${server}.${tool}`, args: {}, options });
      await waitFor(() => shop.calls.length === 1, { what: 'the call to arrive' });
      return {
        async holds() {
          try {
            expectations(await calling, shop.keys);
          } finally {
            release();
            await shop.close();
          }
        },
      };
    },
  };
}

export const readOnlyTool = remoteCall(
  'find',
  { timeout: 60_000 },
  {
    name: 'a call of a remote tool that is read-only is made again, with the same key',
    counted: { succeeded: 1 },
    expectations({ status, body }, keys) {
      expect([status, body.data.result]).toEqual([200, 'tea']);
      const [key] = keys;
      expect(keys).toEqual([key, key]);
      expect(key).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
    },
  },
);

export const remoteTool = remoteCall(
  'buy',
  { timeout: 5_000 },
  {
    name: 'a call of another remote tool fails when its time is over, and was made once',
    counted: { failed: 1 },
    expectations({ status, body }, keys) {
      expect([status, body.message]).toEqual([500, 'Tool execution timeout']);
      expect(body.error).toMatch(/not sent again, as it may have had its effect/);
      expect(keys).toHaveLength(1);
    },
  },
);

export const remoteToolByStopped = remoteCall(
  'buy',
  {},
  {
    name: 'a call of a remote tool fails, and was made once',
    counted: { failed: 1 },
    expectations({ status, body }, keys) {
      expect([status, body.message, body.error]).toEqual([
        500,
        'Tool execution failed',
        expect.stringMatching(/not sent again, as it may have had its effect/),
      ]);
      expect(keys).toHaveLength(1);
    },
  },
);
