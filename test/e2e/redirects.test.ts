import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import { type Service, startService } from '../support/service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { CERTIFICATE_FILE, TLS } from '../support/tls-files';

let service: Service;
let plain: StubPeer;
let other: StubPeer;
let secure: Server;
let secureUrl: string;
/** The headers of requests that reached the peer over TLS. */
let asked: IncomingHttpHeaders[];

beforeAll(async () => {
  other = await startStubPeer((_, response) => sendJson(response, 200, { arrived: true }));
  plain = await startStubPeer(({ path }, response) => {
    response.writeHead(307, { location: path === '/up' ? `${secureUrl}/there` : `${other.url}/there` }).end();
  });
  secure = createServer(TLS, (request, response) => {
    asked.push(request.headers);
    if (request.url === '/down') response.writeHead(307, { location: `${other.url}/there` }).end();
    else sendJson(response, 200, { arrived: true });
  });
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  secureUrl = `https://localhost:${(secure.address() as AddressInfo).port}`;
  service = await startService({ NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE });
});
afterAll(async () => {
  await service.stop();
  secure.closeAllConnections();
  await new Promise((resolve) => secure.close(resolve));
  await Promise.all([plain.close(), other.close()]);
});
beforeEach(() => (asked = []));

const call = (url: string) =>
  service.post('/api/tools/execute', {
    toolName: 'api_call',
    args: { url, method: 'POST', headers: { 'X-Api-Key': 'k-31415', Accept: 'text/csv' }, body: { a: 1 } },
  });

test('a redirect to another origin carries no key along', async () => {
  expect((await call(`${plain.url}/away`)).status).toBe(200);
  expect(plain.requests.at(-1)?.headers['x-api-key']).toBe('k-31415');
  expect(JSON.stringify(other.requests.at(-1))).not.toContain('k-31415');
  expect(other.requests.at(-1)).toMatchObject({
    method: 'POST',
    body: '{"a":1}',
    headers: { accept: 'text/csv' },
  });
});

test('nor does one from http to https', async () => {
  expect((await call(`${plain.url}/up`)).status).toBe(200);
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(asked)).not.toContain('k-31415');
});

test('one from https to http is refused', async () => {
  const before = other.requests.length;
  const { status, text } = await call(`${secureUrl}/down`);
  expect(status).toBe(500);
  expect(text).toContain('redirected from https to http');
  expect(asked).toHaveLength(1);
  expect(other.requests).toHaveLength(before);
});
