import { join } from 'node:path';
import Database from 'better-sqlite3';
import { freePort } from '../support/free-port';
import { get } from '../support/http';
import { LEXICAL } from '../support/memories';
import { NEO4J_WAIT_MS, describeWithNeo4j, useNeo4j } from '../support/neo4j';
import type { PartProcess } from '../support/process';
import { openStage, type Stage } from '../support/stage';
import { makeTempDir } from '../support/temp-dir';
import { type TcpProxy, startTcpProxy } from '../support/tcp-proxy';
import { waitFor } from '../support/wait';

describeWithNeo4j('processes that are started before their Neo4j server', () => {
  const address = useNeo4j();
  let stage: Stage;
  let proxy: TcpProxy | undefined;
  beforeAll(async () => {
    stage = await openStage();
  }, NEO4J_WAIT_MS);
  afterAll(async () => {
    await stage.close();
    await proxy?.close();
  });

  const settings = (port: number): Record<string, string> => ({
    NEO4J_URI: `bolt://127.0.0.1:${port}`,
    NEO4J_USERNAME: address().username,
    NEO4J_PASSWORD: address().password,
    SECRETS_KEY: 'ab'.repeat(32),
    ...LEXICAL,
  });

  test('say what they wait for, and are up when it is', async () => {
    const port = await freePort();
    const probePort = await freePort();
    const environment = { ...settings(port), WORKER_PROBE_PORT: String(probePort) };
    const [api, worker, records] = (['api', 'worker', 'records'] as const).map((part) =>
      stage.spawn(part, environment),
    ) as [PartProcess, PartProcess, PartProcess];
    for (const part of [api, worker, records]) {
      const line = await part.line('waiting for the store');
      expect(line['setting']).toBe(`NEO4J_URI (bolt://127.0.0.1:${port})`);
      expect(line['secondsLeft']).toBeGreaterThan(0);
    }
    // A process that waits is alive and not ready.
    const probe = `http://127.0.0.1:${probePort}`;
    expect([(await get(`${probe}/livez`)).status, (await get(`${probe}/readyz`)).status]).toEqual([200, 503]);

    const host = new URL(address().uri.replace(/^\w+/, 'http')).host;
    proxy = await startTcpProxy(host, port);
    const { url } = await api.line('the API is listening');
    await worker.line('the worker is polling');
    await records.line('the records API is listening');
    await waitFor(async () => (await get(`${probe}/readyz`)).status === 200, {
      what: 'the worker to be ready',
    });
    const tools = await get(`${String(url)}/api/tools`);
    expect(tools.body.data.map((tool: { name: string }) => tool.name)).toContain('calculator');
  });

  test('give up when the limit has passed, in one line', async () => {
    const port = await freePort();
    const api = stage.spawn('api', { ...settings(port), STARTUP_WAIT_MS: '1500' });
    expect(await api.exited).toBe(1);
    expect(api.lines.filter(({ msg }) => msg === 'waiting for the store')).toHaveLength(1);
    expect(api.output()).toMatch(
      /^api: NEO4J_URI \(.*\) cannot be used: The data store cannot be reached .*$/,
    );
  });

  test('end at once where the server is there and refuses them', async () => {
    const host = new URL(address().uri.replace(/^\w+/, 'http')).port;
    const api = stage.spawn('api', { ...settings(Number(host)), NEO4J_PASSWORD: 'not the right one' });
    expect(await api.exited).toBe(1);
    expect(api.lines.map(({ msg }) => msg)).not.toContain('waiting for the store');
    expect(api.output()).toMatch(/^api: Neo4j refuses .*NEO4J_PASSWORD.*$/);
  });

  test('end when they are told to', async () => {
    const api = stage.spawn('api', settings(await freePort()));
    await api.line('waiting for the store');
    expect(await api.stop()).toBe(0);
  });
});

test('a process that is started while another one has the file of memories locked waits for it', async () => {
  const dir = makeTempDir();
  const stage = await openStage();
  const file = new Database(join(dir.path, 'memory.db'));
  try {
    file.pragma('journal_mode = WAL');
    file.exec('BEGIN EXCLUSIVE');
    const api = stage.spawn('api', { ...LEXICAL, DATA_DIR: dir.path });
    expect(await api.line('waiting for the store')).toMatchObject({ reason: 'The data store is busy' });
    file.exec('COMMIT');
    await api.line('the API is listening');
  } finally {
    file.close();
    await stage.close();
    dir.remove();
  }
});
