import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/free-port';
import { processesNaming } from '../support/processes';
import { type Part, type PartProcess, spawnPart } from '../support/process';
import { isolatedSettings, sharedTemporal } from '../support/service';
import { makeTempDir, type TempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';

const NOT_REACHABLE = 'Temporal is not reachable; trying again';
const NOT_CONNECTED = 'the API is listening, but Temporal is not connected yet: tools cannot run';
/** A process that waited until its grace time is over would exceed the time limit of its test. */
const SHUTDOWN_GRACE_MS = '600000';

let dir: TempDir;
let started: PartProcess[];

beforeEach(() => {
  dir = makeTempDir();
  started = [];
});

afterEach(async () => {
  for (const process of started) await process.kill();
  for (const { pid } of processesNaming(dir.path)) process.kill(pid, 'SIGKILL');
  dir.remove();
});

function run(part: Part, env: Readonly<Record<string, string>>): PartProcess {
  const process = spawnPart(part, { ...isolatedSettings(dir.path), ...env });
  started.push(process);
  return process;
}

describe.each<Part>(['api', 'worker', 'start'])('%s without Temporal', (part) => {
  test('continues to run, and ends on SIGTERM without waiting for its grace time', async () => {
    const process = run(part, { TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`, SHUTDOWN_GRACE_MS });
    await process.line(NOT_REACHABLE);
    await delay(1_500);
    expect(process.running).toBe(true);
    expect(await process.stop()).toBe(0);
  });

  describe('where a server accepts connections and never answers', () => {
    let silent: Server;
    let connections: Socket[];
    beforeEach(async () => {
      connections = [];
      silent = createServer((socket) => {
        connections.push(socket);
        socket.on('error', () => undefined);
      });
      await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    });
    afterEach(() => {
      for (const socket of connections) socket.destroy();
      silent.close();
    });

    test('ends on SIGTERM without waiting for its grace time', async () => {
      const { port } = silent.address() as AddressInfo;
      const process = run(part, { TEMPORAL_ADDRESS: `127.0.0.1:${port}`, SHUTDOWN_GRACE_MS });
      await waitFor(() => connections.length > 0, { what: 'a connection' });
      expect(await process.stop()).toBe(0);
    });
  });
});

test('everything in one process says that Temporal is missing, and that it is up when it came', async () => {
  const port = await freePort();
  const process = run('start', { TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
  await process.line(NOT_CONNECTED);
  expect(process.lines.map(({ msg }) => msg)).not.toContain('holdfast is up');

  const temporal = run('temporal', {
    TEMPORAL_PORT: String(port),
    TEMPORAL_UI_PORT: String(await freePort()),
  });
  await process.line('holdfast is up');
  expect(await process.stop()).toBe(0);
  expect(await temporal.stop()).toBe(0);
});

test('a wrong namespace is logged as an error of its own', async () => {
  const process = run('worker', { TEMPORAL_ADDRESS: sharedTemporal(), TEMPORAL_NAMESPACE: 'nowhere' });
  const line = await process.line('Temporal does not know the namespace; trying again');
  expect(line).toMatchObject({ level: 50, namespace: 'nowhere' });
  expect(process.lines.map(({ msg }) => msg)).not.toContain(NOT_REACHABLE);
  expect(await process.stop()).toBe(0);
});

test.each<[Part, string]>([
  ['start', 'holdfast is up'],
  ['api', 'the API is listening'],
  ['worker', 'the worker is polling'],
])('%s says in a few lines that it is up, and in one that it stops', async (part, isUp) => {
  const process = run(part, {});
  const { msg, ...fields } = await process.line(isUp);
  if (part === 'start')
    expect(Object.keys(fields)).toEqual(
      expect.arrayContaining(['api', 'records', 'temporal', 'models', 'embedder']),
    );
  expect(await process.stop()).toBe(0);
  const messages = process.lines.map((line) => line.msg);
  const stopsAt = messages.indexOf('stopping');
  const started = messages.slice(0, stopsAt);
  expect(started.length).toBeLessThanOrEqual(6);
  expect(started).toContain(msg);
  expect(messages.slice(stopsAt)).toEqual(['stopping']);
  expect(process.output()).toBe('');
});

describe('signals', () => {
  const own = async () => ({
    TEMPORAL_ADDRESS: '',
    TEMPORAL_PORT: String(await freePort()),
    TEMPORAL_UI_PORT: String(await freePort()),
  });

  test('the same signal twice at once is one: the shutdown is orderly', async () => {
    const process = run('start', {});
    await process.line('holdfast is up');
    process.signal('SIGINT');
    await process.line('stopping');
    process.signal('SIGINT');
    expect(await process.exited).toBe(0);
  });

  test('a second one a while later ends a slow shutdown at once', async () => {
    const process = run('api', { SHUTDOWN_GRACE_MS: '30000' });
    const { url } = await process.line('the API is listening');
    const { hostname, port } = new URL(String(url));
    const client = connect({ host: hostname, port: Number(port) });
    client.on('error', () => undefined);
    // The client never sends the rest of the request.
    client.write('POST /api/tools/execute HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n');
    client.write('Content-Length: 100\r\n\r\n{');
    await delay(300);
    process.signal('SIGINT');
    await delay(1_500);
    expect(process.running).toBe(true);
    process.signal('SIGINT');
    expect(await process.exited).toBe(130);
    client.destroy();
  });

  test('Ctrl-C while the Temporal server comes up leaves no server behind', async () => {
    const process = run('start', await own());
    const record = join(dir.path, 'temporal.pid');
    await waitFor(
      () =>
        existsSync(record) &&
        (JSON.parse(readFileSync(record, 'utf8')) as { server?: { pid: number } }).server,
      { what: 'the Temporal server to be started' },
    );
    process.signal('SIGINT');
    expect(await process.exited).toBe(0);
    // A process that has ended and was not waited for has no command line.
    expect(processesNaming(dir.path)).toEqual([]);
    expect(existsSync(record)).toBe(false);
  });

  test('a terminal that is closed stops the service in order, with its Temporal server', async () => {
    const process = run('start', await own());
    await process.line('holdfast is up');
    process.signal('SIGHUP');
    expect(await process.exited).toBe(0);
    expect(processesNaming(dir.path)).toEqual([]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s to a command that is not done ends it with %d', async (signal, code) => {
    const process = run('reindex', { TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` });
    await process.line(NOT_REACHABLE);
    process.signal(signal);
    expect(await process.exited).toBe(code);
  });

  test('a signal to npm ends what npm runs', async () => {
    const npm = spawn('npm', ['run', '--ignore-scripts', 'records'], {
      cwd: resolve(__dirname, '..', '..'),
      env: { ...process.env, ...isolatedSettings(dir.path), LOG_FORMAT: 'json' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exited = new Promise((done) => npm.once('close', done));
    await waitFor(() => output.includes('is listening'), { what: 'the records API' });
    npm.kill('SIGTERM');
    // Its output ends when no process can write to it any more.
    await exited;
    expect(output).toContain('"stopping"');
  });
});
