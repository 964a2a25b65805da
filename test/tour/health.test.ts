import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Answer } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';
import { holdWriteLock } from '../support/write-lock';

const ISO_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let stage: Stage;
let api: Api;

beforeAll(async () => {
  stage = await openStage();
  api = await stage.allInOne({ OPENAI_API_KEY: 'not-a-key' });
});

afterAll(() => stage.close());

function emptyLog(file: string): void {
  const database = new Database(file, { fileMustExist: true });
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

function register(name: string): Promise<Answer> {
  return api.post('/api/tools/register', { name, parameters: {}, execute: '() => 1' });
}

async function probes(): Promise<number[]> {
  return [(await api.get('/livez')).status, (await api.get('/readyz')).status];
}

async function detailed() {
  return (await api.get('/api/health/detailed')).body.data;
}

describe('while everything works', () => {
  test('the basic form', async () => {
    const { status, body } = await api.get('/api/health');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        status: 'healthy',
        timestamp: ISO_TIME,
        uptime: expect.any(Number),
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        services: {
          database: 'healthy',
          llm: 'healthy',
          tools: 'healthy',
          temporal: 'healthy',
          disk: 'healthy',
          workers: 'healthy',
        },
      },
      message: 'System is healthy',
    });
  });

  test('the detailed form', async () => {
    const { status, body } = await api.get('/api/health/detailed');
    const checked = { status: 'healthy', lastCheck: ISO_TIME };
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        status: 'healthy',
        timestamp: ISO_TIME,
        uptime: expect.any(Number),
        version: expect.any(String),
        services: {
          database: { ...checked, responseTime: expect.any(Number), store: 'embedded' },
          llm: { ...checked, providers: expect.arrayContaining(['hosted']) },
          tools: { ...checked, registeredTools: expect.any(Number) },
          // Whether a model can be had differs between machines.
          embedder: expect.objectContaining({
            status: expect.stringMatching(/^(healthy|degraded)$/),
            dimensions: 768,
            finds: expect.stringMatching(/^(words|meaning)$/),
            note: expect.stringMatching(/^Memories are found by their (words|meaning)/),
          }),
          temporal: { ...checked, responseTime: expect.any(Number) },
          disk: { ...checked, responseTime: expect.any(Number) },
          workers: {
            ...checked,
            responseTime: expect.any(Number),
            queues: ['workflows', 'io', 'sandbox', 'models'].map((kind) => ({
              kind,
              taskQueue: stage.taskQueue + (kind === 'workflows' ? '' : `-${kind}`),
              pollers: 1,
              status: 'healthy',
            })),
            abnormalEnds: { count: 0 },
            endedRuns: { count: 0 },
          },
        },
        egress: { privateAddresses: 'allowed' },
        clock: { skewMs: expect.any(Number) },
        metrics: {
          memoryUsage: expect.stringMatching(/^\d+\.\d MB$/),
          cpuUsage: expect.stringMatching(/^\d+\.\d%$/),
          activeConnections: expect.any(Number),
        },
      },
      message: 'Detailed health check completed',
    });
  });

  test('figures are real', async () => {
    const before = await detailed();
    await register('one-more');
    const after = await detailed();

    expect(after.services.tools.registeredTools).toBe(before.services.tools.registeredTools + 1);
    expect(after.uptime).toBeGreaterThanOrEqual(before.uptime);
    expect(after.services.database.responseTime).toBeGreaterThanOrEqual(0);
    expect(after.services.temporal.responseTime).toBeGreaterThan(0);
    expect(Number.parseFloat(after.metrics.memoryUsage)).toBeGreaterThan(20);
    expect(after.metrics.activeConnections).toBeGreaterThanOrEqual(1);
  });

  test('the probes answer, and the version segment changes nothing', async () => {
    expect(await probes()).toEqual([200, 200]);
    expect((await api.get('/api/v1/health')).body.message).toBe('System is healthy');
  });
});

describe('while the data store cannot be used', () => {
  const file = () => join(stage.dataDir, 'holdfast.db');
  const aside = () => join(stage.dataDir, 'holdfast.aside');

  async function expectUnhealthy(path: string): Promise<void> {
    const { status, body } = await api.get(path);
    expect(status).toBe(503);
    expect(body).toMatchObject({
      success: false,
      message: 'System is unhealthy',
      error: expect.stringMatching(/database.*tools/),
      details: { status: 'unhealthy', failedServices: ['database', 'tools'], timestamp: ISO_TIME },
    });
  }

  test.each([
    ['gone', () => undefined],
    ['replaced by something else', () => writeFileSync(file(), 'this was never a database, '.repeat(1_000))],
  ])('because it is %s, health says so meanwhile, and recovers by itself', async (how, replace) => {
    const name = how.replaceAll(' ', '-');
    await register(name);
    // A store this small may still be in its write-ahead log as a whole, and would be restored from there.
    emptyLog(file());
    renameSync(file(), aside());
    replace();

    await expectUnhealthy('/api/health');
    await expectUnhealthy('/api/health/detailed');
    const refused = await api.get('/api/tools');
    expect([refused.status, refused.body.message]).toEqual([503, 'Service unavailable']);
    expect(refused.text).not.toMatch(/holdfast\.db|SQLITE/);
    expect(await probes()).toEqual([200, 200]);

    renameSync(aside(), file());
    await waitFor(async () => (await api.get('/api/health')).status === 200, { what: 'health to recover' });
    expect((await api.get(`/api/tools/${name}`)).status).toBe(200);
    expect((await api.post('/api/tools/execute', { toolName: name })).body.data.result).toBe(1);
  });
});

test('memories that cannot be used make the database unhealthy, until they can be used again', async () => {
  const [file, aside] = ['memory.db', 'memory.aside'].map((name) => join(stage.dataDir, name)) as [
    string,
    string,
  ];
  emptyLog(file);
  renameSync(file, aside);
  const { status, body } = await api.get('/api/health');
  expect([status, body.details?.failedServices]).toEqual([503, ['database']]);
  expect(await probes()).toEqual([200, 200]);

  renameSync(aside, file);
  await waitFor(async () => (await api.get('/api/health')).status === 200, { what: 'health to recover' });
});

test('a data store that another process keeps locked refuses writes before it is unlocked, and reads go on', async () => {
  const unlock = holdWriteLock(stage.dataDir);
  const refused = await register('late');
  expect([refused.status, refused.body.message]).toEqual([503, 'Service unavailable']);
  expect((await api.get('/api/tools')).status).toBe(200);
  expect((await api.get('/api/health')).status).toBe(200);
  unlock();
  expect((await register('late')).status).toBe(201);
});
