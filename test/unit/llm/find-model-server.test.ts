import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { freePort } from '../../support/free-port';
import { findModelServer } from '../../../src/llm/discovery/find-model-server';
import { lists, type ListServer, startListServer } from '../../support/model-lists';
import type { PeerHandler } from '../../support/stub-peer';

/** The limit of 300 ms, and what a busy machine takes besides. */
const SOON_MS = 2_300;

const servers: ListServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Finds a server if none is silent, however busy the machine is. */
const find = (...ports: readonly number[]) => findModelServer(ports, 20_000);

async function start(handler: PeerHandler): Promise<ListServer> {
  const server = await startListServer(handler);
  servers.push(server);
  return server;
}

const says =
  (status: number, body: string, headers = {}): PeerHandler =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

test('the server at the earlier port is found, also where a later one answers first', async () => {
  const first = await start((request, response) => {
    setTimeout(() => void lists('llama3.1:8b', 'qwen3:4b')(request, response), 30);
  });
  const second = await start(lists('mistral'));
  expect(await find(first.port, second.port)).toEqual({
    baseUrl: `${first.url}/v1`,
    models: ['llama3.1:8b', 'qwen3:4b'],
  });
  expect(second.requests).toMatchObject([{ method: 'GET', path: '/v1/models', body: '' }]);
});

test('nothing is found where no server listens', async () => {
  expect(await find(await freePort(), await freePort())).toBeUndefined();
});

const HAS_IPV6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
(HAS_IPV6 ? test : test.skip)('a server that listens on the IPv6 loopback alone is found', async () => {
  const server = createServer((_request, response) => void response.end('{"data":[{"id":"qwen3:4b"}]}'));
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await find(port)).toEqual({ baseUrl: `http://[::1]:${port}/v1`, models: ['qwen3:4b'] });
  await closeAll(server);
});

test('models that make embeddings or rank texts are left out, and a server that has no others is passed over', async () => {
  const embedders = await start(
    lists('nomic-embed-text:latest', 'bge-m3', 'all-minilm:33m', 'multilingual-e5-large'),
  );
  const both = await start(lists('text-embedding-3-small', 'qwen3-reranker', 'gemma3:4b', 'phi4'));
  expect(await find(embedders.port, both.port)).toMatchObject({
    baseUrl: `${both.url}/v1`,
    models: ['gemma3:4b', 'phi4'],
  });
});

test.each<[string, unknown]>([
  ['a line break', 'qwen3\nINFO: all is well'],
  ['a terminal sequence', 'qwen3\u001b[2J'],
  ['a right-to-left mark', 'qwen3\u202e'],
  ['a quote', "qwen3'; rm -rf ~; '"],
  ['a substitution of the shell', '$(reboot)'],
  ['too many characters', 'q'.repeat(201)],
  ['no characters', ''],
  ['a number', 7],
])('an id with %s is no model', async (_what, id) => {
  const server = await start(lists(id, 'phi4'));
  expect((await find(server.port))?.models).toEqual(['phi4']);
});

test.each<[string, PeerHandler]>([
  ['no JSON', says(200, '<html>Hello</html>')],
  ['other JSON', says(200, '{"data":{"status":"healthy"}}')],
  ['a text', says(200, '"models"')],
  ['an empty list', lists()],
  ['a list of nothing', says(200, '{"data":[null,1,"a",[],{}]}')],
  ['deep nesting', says(200, `{"data":[{"id":"phi4"}],"more":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)],
  ['an error', says(500, '{"data":[{"id":"phi4"}]}')],
  ['too much', says(200, `{"data":[{"id":"phi4"}]}${' '.repeat(65_536)}`)],
  ['a broken connection', (_request, response) => void response.destroy()],
  [
    'half a body',
    (_request, response) => void response.writeHead(200).write('{"data"', () => response.destroy()),
  ],
])('an answer that is %s counts as none', async (_what, handler) => {
  const server = await start(handler);
  const next = await start(lists('phi4'));
  expect((await find(server.port, next.port))?.baseUrl).toBe(`${next.url}/v1`);
});

test('a redirect is not followed', async () => {
  const target = await start(lists('phi4'));
  const server = await start(says(302, '', { location: `${target.url}/v1/models` }));
  expect(await find(server.port)).toBeUndefined();
  expect(target.requests).toEqual([]);
});

test('of an endless body no more than 64 KB are read', async () => {
  let sent = 0;
  const server = await start((_request, response) => {
    const chunk = Buffer.alloc(16_384, ' ');
    const write = (): void => {
      do sent += chunk.length;
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  });
  expect(await find(server.port)).toBeUndefined();
  // What the buffers of both sockets hold comes on top.
  expect(sent).toBeLessThan(16 * 1_048_576);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['never answers', () => undefined],
  ['never ends its answer', (response) => void response.writeHead(200).write('{"data":[')],
])('a server that %s does not keep the others from being found in time', async (_what, behave) => {
  const slow = await start((_request, response) => behave(response));
  const next = await start(lists('phi4'));
  const began = performance.now();
  expect((await findModelServer([slow.port, next.port]))?.baseUrl).toBe(`${next.url}/v1`);
  expect(performance.now() - began).toBeLessThan(SOON_MS);
});

test('a server that sends a byte from time to time is given up in time', async () => {
  const server = await start((_request, response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  });
  const began = performance.now();
  expect(await findModelServer([server.port])).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(SOON_MS);
});

async function closeAll(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
