import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../../../api/app';
import { fileRoutes } from '../../../../api/files/file-routes';
import { type HttpServer, listen } from '../../../../api/http/server';
import { BytesInFlight } from '../../../../src/base/async/bytes-in-flight';
import type { NewFile } from '../../../../src/files/user-files';
import { upload } from '../../../support/files';
import { waitFor } from '../../../support/wait';

const MIB = 1_048_576;

let server: HttpServer;
let inFlight: BytesInFlight;
let sizes: number[];
const sockets: Socket[] = [];

beforeEach(async () => {
  inFlight = new BytesInFlight(64 * MIB);
  sizes = [];
  const add = (_userId: string, { name, type, bytes }: NewFile) => {
    sizes.push(inFlight.taken);
    return Promise.resolve({ id: 'a', name, type, size: bytes.length, expiresAt: 'later' });
  };
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 10_000 },
    logger: pino({ level: 'silent' }),
    routes: fileRoutes(),
    servicesOf: () => ({ runs: { files: { add } } }) as never,
    info: { title: 'test', description: '' },
    isReady: () => true,
    inFlight,
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close(100);
});

/** A connection that says that a file of 8 MiB comes, and sends this much of it. */
function begin(bytes: number): void {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  const head =
    'POST /api/files?userId=ann&name=a HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n';
  socket.write(`${head}Content-Length: ${8 * MIB}\r\n\r\n${'a'.repeat(bytes)}`);
}

test('connections that send nothing take no room from others', async () => {
  for (let n = 0; n < 10; n += 1) begin(0);
  for (let n = 0; n < 5; n += 1) begin(MIB);
  await waitFor(() => inFlight.taken >= 5 * MIB, { what: 'room for what has arrived' });
  const sent = await upload(
    server.url,
    { userId: 'ann', name: 'b', type: 'text/plain' },
    Buffer.alloc(2 * MIB),
  );
  expect(sent).toMatchObject({ status: 201, body: { data: { size: 2 * MIB } } });
  // While it is read and checked, a file has room for several times its size.
  expect(sizes).toHaveLength(1);
  expect(sizes[0]).toBeGreaterThanOrEqual(5 * MIB + 4 * 2 * MIB);
  for (const socket of sockets.splice(0)) socket.destroy();
  await waitFor(() => inFlight.taken === 0, { what: 'room of connections that have gone' });
});
