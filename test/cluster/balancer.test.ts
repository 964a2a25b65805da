import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get as httpGet, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Balancer, startBalancer } from '../../cluster/services/balancer';
import { freePort } from '../../cluster/processes/free-port';
import { waitFor } from '../support/wait';

let balancer: Balancer;
let servers: Server[];
let processes: ChildProcess[];

beforeEach(async () => {
  servers = [];
  processes = [];
  balancer = await startBalancer({ host: '127.0.0.1', port: 0 });
});
afterEach(() => {
  balancer.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  for (const process of processes) process.kill('SIGKILL');
});

/** Starts a server that answers with its name and with the request that it received. */
async function addServer(name: string): Promise<void> {
  const server = createServer((request, response) => {
    response.write(`${name}:`);
    request.pipe(response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  balancer.set(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Sends a request on a new connection. */
function ask(): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    httpGet({ port: balancer.port, host: '127.0.0.1', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    }).on('error', reject);
  });
}

/** Whether an answer arrives within this time. */
function within(ms: number): Promise<boolean> {
  return Promise.race([
    ask().then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms)),
  ]);
}

test('connections go to one server after another', async () => {
  await addServer('first');
  await addServer('second');
  const texts: string[] = [];
  for (let n = 0; n < 4; n += 1) texts.push((await ask()).text);
  expect(texts.filter((text) => text === 'first:')).toHaveLength(2);
  expect(texts.filter((text) => text === 'second:')).toHaveLength(2);
});

test('a server that takes no connections is skipped, and used again where it comes back', async () => {
  await addServer('alive');
  balancer.set('dead', `http://127.0.0.1:${await freePort()}`);
  for (let n = 0; n < 4; n += 1) expect((await ask()).text).toBe('alive:');
  await addServer('dead');
  const texts = [await ask(), await ask()].map(({ text }) => text);
  expect(texts.sort()).toEqual(['alive:', 'dead:']);
});

test('a server that hangs gets no connections while another answers, and gets them again when it does', async () => {
  const script = `require('http').createServer((q, r) => r.end('hanging:'))
    .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
  const hanging = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  processes.push(hanging);
  const [port] = (await once(hanging.stdout, 'data')) as [Buffer];
  balancer.set('hanging', `http://127.0.0.1:${String(port).trim()}`);
  await addServer('well');
  const texts = async (): Promise<string[]> => [(await ask()).text, (await ask()).text].sort();
  expect(await texts()).toEqual(['hanging:', 'well:']);
  hanging.kill('SIGSTOP');
  await waitFor(async () => (await Promise.all([within(500), within(500)])).every(Boolean), {
    what: 'the one that hangs to be left out',
  });
  expect(await texts()).toEqual(['well:', 'well:']);
  hanging.kill('SIGCONT');
  await waitFor(async () => (await texts()).includes('hanging:'), { what: 'it to be asked again' });
});

test('a server that hangs is better than none', async () => {
  const held = createServer((request, response) => {
    if (request.url !== '/livez') response.end('slow:');
  });
  servers.push(held);
  await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve));
  balancer.set('held', `http://127.0.0.1:${(held.address() as AddressInfo).port}`);
  await once(held, 'request');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect((await ask()).text).toBe('slow:');
});

test('a server that is taken away gets no connections', async () => {
  await addServer('first');
  await addServer('second');
  balancer.set('first', undefined);
  for (let n = 0; n < 3; n += 1) expect((await ask()).text).toBe('second:');
});

test('without any server the answer is a 503 in the form of the service', async () => {
  const { status, text } = await ask();
  expect(status).toBe(503);
  expect(JSON.parse(text)).toMatchObject({ success: false, error: 'Service unavailable', code: 'UNHEALTHY' });
});

test('bodies of any size go through whole, both ways at once', async () => {
  await addServer('first');
  const body = 'x'.repeat(3_000_000);
  const response = await fetch(`http://127.0.0.1:${balancer.port}`, { method: 'POST', body });
  expect(await response.text()).toBe(`first:${body}`);
});

test('a caller that goes ends its connection to the server', async () => {
  const gone = new Promise<void>((resolve) => {
    const server = createServer((request) => request.url === '/' && request.once('close', resolve));
    servers.push(server);
    server.listen(0, '127.0.0.1', () =>
      balancer.set('held', `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
    server.once('listening', () => {
      const caller = connect({ port: balancer.port, host: '127.0.0.1' });
      caller.on('error', () => undefined);
      server.once('request', () => void caller.destroy());
      caller.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    });
  });
  await gone;
});

test('an address that is in use is told in one line', async () => {
  await expect(startBalancer({ host: '127.0.0.1', port: balancer.port })).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: `Port ${balancer.port} on 127.0.0.1 (PORT) cannot be used: it is in use`,
  });
});
