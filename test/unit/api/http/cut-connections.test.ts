import { get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../../../api/app';
import { type HttpServer, listen } from '../../../../api/http/server';
import { waitFor } from '../../../support/wait';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly code?: string };
}

let server: HttpServer;
let lines: Line[];

beforeEach(async () => {
  lines = [];
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 10_000 },
    logger: pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line) as Line) }),
    routes: [],
    info: { title: 'test', description: '' },
    isReady: () => true,
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
});
afterEach(() => server.close(100));

/** Sends the beginning of a request, and ends or spoils the connection within its body. */
function sendPart(rest: string, then: 'end' | 'stay'): void {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write(`POST /api/nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${rest}`);
  if (then === 'end') socket.end();
}

/** Begins to read a file of the documentation, and goes away. */
function abandonFile(): void {
  const request = httpGet(`${server.url}/api-docs/swagger-ui-bundle.js`, { agent: false }, (response) =>
    response.destroy(),
  );
  request.on('error', () => undefined);
}

test.each([
  ['ends its connection within a body', () => sendPart('Content-Length: 50\r\n\r\n{"a"', 'end')],
  [
    'sends a chunk that is none',
    () => sendPart('Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\nzz\r\n', 'stay'),
  ],
  ['goes away while a file is sent', abandonFile],
])('a caller that %s is no fault of the service', async (_case, act) => {
  act();
  await waitFor(() => lines.some(({ msg }) => msg === 'request'), { what: 'the line of the request' });
  await waitFor(() => lines.some(({ err }) => err !== undefined), { what: 'the line of the error' });
  expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
});
