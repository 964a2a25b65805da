import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { waitFor } from '../../support/wait';
import { exists, occupyPort, type ServerFixture, serverFixture } from './fixtures';

let fixture: ServerFixture;
beforeEach(async () => {
  fixture = await serverFixture();
});
afterEach(() => fixture.clean());

async function withClient<T>(address: string, action: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await action(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

const AREA = defineSearchAttributeKey('TestArea', 'KEYWORD');

function startRun(client: Client): Promise<unknown> {
  return client.workflow.start('nobodyRunsThis', {
    taskQueue: 'none',
    workflowId: 'kept',
    typedSearchAttributes: new TypedSearchAttributes([{ key: AREA, value: 'tools' }]),
  });
}

test('is ready for a run with search attributes, and keeps runs as long as it is told', async () => {
  // Others may look into the folder, and into what an older build has left there.
  const { dataDir } = fixture.options;
  chmodSync(dataDir, 0o755);
  writeFileSync(join(dataDir, 'temporal.log'), 'a line\n', { mode: 0o644 });
  const server = await fixture.start({ retentionDays: 12 });
  expect(server).toMatchObject({
    address: `127.0.0.1:${fixture.options.port}`,
    uiUrl: `http://127.0.0.1:${fixture.options.uiPort}`,
    adopted: false,
  });
  await withClient(server.address, async (client) => {
    await startRun(client);
    const { config } = await client.workflowService.describeNamespace({ namespace: 'default' });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(12 * 86_400);
  });
  const modes = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]);
  expect(Object.fromEntries(modes)).toMatchObject({ 'temporal.db': 0o600, 'temporal.log': 0o600 });
  expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
  const ui = await fetch(server.uiUrl);
  expect(ui.status).toBe(200);
  await ui.body?.cancel();
});

test('makes the namespace it is given', async () => {
  const server = await fixture.start({ namespace: 'tenant' });
  await withClient(server.address, async (client) => {
    const { namespaceInfo } = await client.workflowService.describeNamespace({ namespace: 'tenant' });
    expect(namespaceInfo?.name).toBe('tenant');
  });
});

test('keeps its database in the data folder, whatever characters the name of the folder has', async () => {
  const dataDir = join(fixture.options.dataDir, 'c# 100%25?');
  await fixture.start({ dataDir });
  expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['temporal.db', 'temporal.db-wal']));
  expect(readdirSync(fixture.options.dataDir)).toEqual(['c# 100%25?']);
});

test('runs in a process group of its own, with a write-ahead log', async () => {
  const server = await fixture.start();
  const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(server.pid)], { encoding: 'utf8' });
  expect(Number(group)).toBe(server.pid);
  expect(readdirSync(fixture.options.dataDir)).toContain('temporal.db-wal');
});

test('keeps its runs and search attributes over a restart on the same file', async () => {
  const first = await fixture.start();
  await withClient(first.address, startRun);
  await first.stop();

  const second = await fixture.start();
  expect(second.adopted).toBe(false);
  await withClient(second.address, async (client) => {
    const description = await client.workflow.getHandle('kept').describe();
    expect(description.status.name).toBe('RUNNING');
    expect(description.typedSearchAttributes.get(AREA)).toBe('tools');
  });
});

test('adds search attributes that a database made with fewer of them lacks', async () => {
  const first = await fixture.start({
    searchAttributes: { TestTools: 'KeywordList', TestFormer: 'Keyword' },
  });
  await first.stop();

  const second = await fixture.start();
  await withClient(second.address, async (client) => {
    await startRun(client);
    const description = await client.workflow.getHandle('kept').describe();
    expect(description.typedSearchAttributes.get(AREA)).toBe('tools');
  });
});

test('starts on a database that has no room for a search attribute', async () => {
  const full = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`Full${n}`, 'Keyword' as const]));
  const first = await fixture.start({ searchAttributes: full });
  await first.stop();

  const second = await fixture.start();
  await withClient(second.address, async (client) => {
    const { customAttributes } = await client.connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });
    expect(Object.keys(customAttributes).sort()).toEqual(Object.keys(full).sort());
  });
});

test('stop leaves no process, no record and both ports free, and may be called again', async () => {
  const server = await fixture.start();
  await Promise.all([server.stop(), server.stop()]);
  await server.stop();
  expect(exists(server.pid)).toBe(false);
  expect(readdirSync(fixture.options.dataDir)).not.toContain('temporal.pid');
  for (const port of [fixture.options.port, fixture.options.uiPort]) (await occupyPort(port)).close();
});

test('tells how the server ended when nobody had asked it to', async () => {
  const server = await fixture.start();
  process.kill(server.pid, 'SIGKILL');
  const exit = await server.exited;
  expect(exit.code).toBeNull();
  expect(exit.reason).toMatch(/^SIGKILL; its log ends with: /);
  await server.stop();

  const next = await fixture.start();
  expect(next.adopted).toBe(false);
  expect(readFileSync(join(fixture.options.dataDir, 'temporal.pid'), 'utf8')).toContain(String(next.pid));
});

test('a start that is given up leaves no process and no record', async () => {
  const giveUp = new AbortController();
  const starting = expect(fixture.start({ signal: giveUp.signal })).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringContaining('given up'),
  });
  const record = join(fixture.options.dataDir, 'temporal.pid');
  const { pid } = await waitFor(
    () => (JSON.parse(readFileSync(record, 'utf8')) as { server?: { pid: number } }).server,
    { what: 'the server to be started' },
  );
  giveUp.abort();
  await starting;
  expect(exists(pid)).toBe(false);
  expect(readdirSync(fixture.options.dataDir)).not.toContain('temporal.pid');
});

test('a start that was given up before it began starts nothing', async () => {
  await expect(fixture.start({ signal: AbortSignal.abort() })).rejects.toThrow('given up');
  expect(readdirSync(fixture.options.dataDir)).not.toContain('temporal.pid');
});
