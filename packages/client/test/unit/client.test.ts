import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  sendJson,
  startStubPeer,
  type PeerHandler,
  type StubPeer,
} from '../../../../test/support/stub-peer.js';
import { waitFor } from '../../../../test/support/wait.js';
import { type ClientOptions, createClient, HoldfastApiError, type HoldfastClient } from '../../src/index.js';

const RUN = { traceId: 'trace', workflowId: 'id' };
const ENDED = { ...RUN, status: 'completed', result: { result: 7 } };
const STILL_GOING = { success: false, code: 'RUN_STILL_GOING', detail: 'it works', details: RUN };
const STREAM = { 'content-type': 'text/event-stream' };
const COMPLETED = 'id: 1\nevent: run.completed\ndata: {"type":"run.completed"}\n\n';

let peer: StubPeer | undefined;
afterEach(() => peer?.close());

/** @param handlers answer one request each, and the last one all further requests */
async function startClient(
  handlers: readonly PeerHandler[],
  options: Partial<ClientOptions> = {},
): Promise<HoldfastClient> {
  let sent = 0;
  peer = await startStubPeer((request, response) =>
    handlers[Math.min(sent++, handlers.length - 1)]!(request, response),
  );
  return createClient({ baseUrl: peer.url, ...options });
}

const callTool = (client: HoldfastClient, signal?: AbortSignal) =>
  client.POST('/api/tools/execute', { body: { toolName: 'calculator' }, signal });
const followRun = (client: HoldfastClient, signal: AbortSignal) =>
  typesOf(client.run('trace').events({ signal }));
const answers =
  (status: number, body: object, headers = {}): PeerHandler =>
  (_request, response) =>
    sendJson(response, status, body, headers);
/** A proxy that does not reach the service. */
const proxy: PeerHandler = (_request, response) =>
  void response
    .writeHead(502, { 'content-type': 'text/html', 'retry-after': '0' })
    .end('<h1>Bad Gateway</h1>');
const streams =
  (text: string): PeerHandler =>
  (_request, response) =>
    void response.writeHead(200, STREAM).end(`retry: 1\n\n${text}`);

async function typesOf(events: AsyncIterable<{ readonly type: string }>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  return types;
}

test('a call whose run takes longer than its request goes on with the run, and is sent once', async () => {
  const client = await startClient([
    answers(503, STILL_GOING, { 'x-trace-id': 'trace' }),
    answers(202, { data: RUN }),
    answers(200, { data: ENDED }),
  ]);
  expect(await client.result(callTool(client))).toEqual({ result: 7 });
  expect(peer!.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  expect(peer!.requests[1]!.path).toBe('/api/runs/trace/wait?timeout=50&workflowId=id');
});

test.each([
  ['names its run', 503, { code: 'MODEL_UNAVAILABLE' }, { 'x-trace-id': 'trace', 'retry-after': '0' }],
  ['is of the service and asks for no repeat', 503, { code: 'MODEL_NOT_CONFIGURED' }, {}],
  ['asks for a wait of more than a minute', 429, { code: 'TOO_MANY_ATTEMPTS' }, { 'retry-after': '61' }],
])('a request is not sent again after an answer that %s', async (_, status, body, headers) => {
  const client = await startClient([answers(status, body, headers)]);
  expect((await callTool(client)).error).toEqual(body);
  expect(peer!.requests).toHaveLength(1);
});

test('a request is sent again after the answer of a proxy that has not reached the service', async () => {
  const away: PeerHandler = (_request, response) => void response.writeHead(503).end('away');
  const client = await startClient([away, answers(200, { data: { result: 7 } })]);
  expect(await client.result(callTool(client))).toEqual({ result: 7 });
});

test('without `crypto.randomUUID`, requests have keys of their own all the same', async () => {
  const client = await startClient([answers(200, { data: {} })]);
  const random = jest.spyOn(globalThis.crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function');
  });
  await callTool(client);
  await callTool(client);
  random.mockRestore();
  const keys = peer!.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.any(String)]);
  expect(keys[0]).not.toBe(keys[1]);
});

describe('while the service is away behind a proxy', () => {
  test('a wait goes on', async () => {
    const client = await startClient([proxy, answers(200, { data: ENDED })], { retries: false });
    expect(await client.run('trace').wait()).toEqual(ENDED);
  });

  test('a stream goes on after the last event', async () => {
    const started = 'id: 1\ndata: {"type":"run.started"}\n\n';
    const client = await startClient([streams(started), proxy, proxy, streams(COMPLETED)], {
      retries: false,
    });
    expect(await typesOf(client.run('trace').events())).toEqual(['run.started', 'run.completed']);
    expect(peer!.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '1', '1']);
  });

  test('an error of the service ends both', async () => {
    const error = { code: 'STORE_UNAVAILABLE', detail: 'no store' };
    const client = await startClient([answers(503, error)]);
    await expect(client.run('trace').wait()).rejects.toThrow(new HoldfastApiError(503, error));
    await expect(typesOf(client.run('trace').events())).rejects.toThrow('no store');
    expect(peer!.requests).toHaveLength(2);
  });
});

test('a run is followed across any number of connections that bring signs of life', async () => {
  const alive = Array.from({ length: 12 }, () => streams(': still there\n\n'));
  const client = await startClient([...alive, streams(COMPLETED)]);
  expect(await typesOf(client.run('trace').events())).toEqual(['run.completed']);
});

test('a run is followed across any number of connections that last, and not across those that end at once', async () => {
  const clock = jest.spyOn(performance, 'now');
  let now = 0;
  clock.mockImplementation(() => (now += 5_001));
  const client = await startClient([...Array.from({ length: 12 }, () => streams('')), streams(COMPLETED)]);
  expect(await typesOf(client.run('trace').events())).toEqual(['run.completed']);
  clock.mockRestore();
  await peer!.close();

  const other = await startClient([streams('')]);
  await expect(typesOf(other.run('trace').events())).rejects.toThrow('again and again');
  expect(peer!.requests).toHaveLength(10);
});

describe('after a garbage collection', () => {
  test.each([
    ['request before its answer', undefined, callTool, {}],
    ['request in the body of its answer', '{"data":', callTool, {}],
    ['request that is sent once', '{"data":', callTool, { retries: false }],
    ['stream', ': still there\n\n', followRun, {}],
  ])('an abort ends a %s', async (_, begun, send, options) => {
    let isClosed = false;
    const unending: PeerHandler = (_request, response) => {
      response.on('close', () => (isClosed = true));
      if (begun !== undefined) response.writeHead(200, STREAM).write(begun);
    };
    const client = await startClient([unending], options);
    const controller = new AbortController();
    const sent = send(client, controller.signal).catch((error: unknown) => error);
    await waitFor(() => peer!.requests.length === 1, { what: 'the request' });
    await collectGarbage();
    controller.abort();
    expect(await sent).toBe(controller.signal.reason);
    await waitFor(() => isClosed, { what: 'the end of the connection' });
  });
});

/** Collects what a request that has come as far as it can has left behind. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
}

test.each<[string, string, string | Uint8Array | Blob, Buffer]>([
  ['a text', 'text/csv', 'fruit,price\napple,"\u00e9"\n', Buffer.from('fruit,price\napple,"\u00e9"\n')],
  ['bytes', 'image/png', Uint8Array.from([0, 137, 80, 255]), Buffer.from([0, 137, 80, 255])],
  ['a blob', 'application/json', new Blob(['{"a": "b"}']), Buffer.from('{"a": "b"}')],
])('%s is uploaded byte by byte, with its type', async (_what, type, data, expected) => {
  const chunks: Buffer[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      sendJson(response, 201, { data: { id: request.headers['content-type'], name: request.url } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}` });
  const { id, name } = await client.files.upload({ userId: 'ada b', name: 'a&b', type, data });
  server.closeAllConnections();
  server.close();
  expect(Buffer.concat(chunks)).toEqual(expected);
  expect(id).toBe(type);
  const sent = new URL(name, 'http://localhost');
  expect(sent.pathname).toBe('/api/files');
  expect(Object.fromEntries(sent.searchParams)).toEqual({ userId: 'ada b', name: 'a&b' });
});

test('a file that is refused is an error', async () => {
  const client = await startClient([
    answers(400, { code: 'VALIDATION', detail: 'no', details: { field: 'body' } }),
  ]);
  const refused = client.files.upload({ userId: 'ada', name: 'a', type: 'text/plain', data: '' });
  await expect(refused).rejects.toMatchObject({ status: 400, code: 'VALIDATION' });
});
