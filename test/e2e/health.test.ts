import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Answer } from '../support/http';
import type { Api, Stage } from '../support/stage';
import { openStage } from '../support/stage';
import { waitFor } from '../support/wait';
import { holdWriteLock } from '../support/write-lock';

jest.setTimeout(60_000);

const PROBED_WITHIN_MS = 2_000;
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
        services: { database: 'healthy', llm: 'healthy', tools: 'healthy', temporal: 'healthy' },
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
          database: { ...checked, responseTime: expect.any(Number) },
          llm: { ...checked, providers: expect.arrayContaining(['hosted']) },
          tools: { ...checked, registeredTools: expect.any(Number) },
          temporal: { ...checked, responseTime: expect.any(Number) },
        },
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
    await api.post('/api/tools/register', { name: 'one-more', parameters: {}, execute: '() => 1' });
    const after = await detailed();

    expect(after.services.tools.registeredTools).toBe(before.services.tools.registeredTools + 1);
    expect(after.uptime).toBeGreaterThanOrEqual(before.uptime);
    expect(after.services.database.responseTime).toBeLessThan(PROBED_WITHIN_MS);
    expect(after.services.temporal.responseTime).toBeGreaterThan(0);
    expect(Number.parseFloat(after.metrics.memoryUsage)).toBeGreaterThan(20);
    expect(after.metrics.activeConnections).toBeGreaterThanOrEqual(1);
  });

  test('the probes answer, and the version segment changes nothing', async () => {
    expect([(await api.get('/livez')).status, (await api.get('/readyz')).status]).toEqual([200, 200]);
    expect((await api.get('/api/v1/health')).body.message).toBe('System is healthy');
  });
});

describe.each(['gone', 'replaced'] as const)('while the data store is %s', (kind) => {
  const file = () => join(stage.dataDir, 'holdfast.db');
  const aside = () => join(stage.dataDir, 'holdfast.aside');

  beforeAll(() => {
    // All of so small a store may still be in its log, which would stand in for the file.
    emptyLog(file());
    renameSync(file(), aside());
    if (kind === 'replaced') writeFileSync(file(), 'this was never a database, '.repeat(1_000));
  });

  test.each(['/api/health', '/api/health/detailed'])(
    '%s is 503 in time and names what failed',
    async (path) => {
      const started = performance.now();
      const { status, body } = await api.get(path);
      expect(performance.now() - started).toBeLessThan(PROBED_WITHIN_MS);
      expect(status).toBe(503);
      expect(body).toEqual({
        success: false,
        message: 'System is unhealthy',
        error: expect.stringMatching(/database/),
        details: { status: 'unhealthy', failedServices: ['database', 'tools'], timestamp: ISO_TIME },
      });
    },
  );

  test('nothing about the file is told, requests that need it are refused, and the probes answer', async () => {
    const refused = await api.get('/api/tools');
    expect([refused.status, refused.body.message]).toEqual([503, 'Service unavailable']);
    for (const { text } of [refused, await api.get('/api/health')])
      expect(text).not.toMatch(/holdfast\.db|SQLITE/);
    expect([(await api.get('/livez')).status, (await api.get('/readyz')).status]).toEqual([200, 200]);
  });

  test('health recovers by itself, and nothing was lost', async () => {
    renameSync(aside(), file());
    await waitFor(async () => (await api.get('/api/health')).status === 200, { what: 'health to recover' });
    expect((await api.get('/api/tools/one-more')).status).toBe(200);
    expect((await api.post('/api/tools/execute', { toolName: 'one-more' })).body.data.result).toBe(1);
  });
});

test('a data store that another process keeps locked refuses writes in time, and reads go on', async () => {
  const unlock = holdWriteLock(stage.dataDir);
  const register = (): Promise<Answer> =>
    api.post('/api/tools/register', { name: 'late', parameters: {}, execute: '() => 2' });
  const started = performance.now();
  const refused = await register();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect([refused.status, refused.body.message]).toEqual([503, 'Service unavailable']);
  expect((await api.get('/api/tools')).status).toBe(200);
  unlock();
  expect((await register()).status).toBe(201);
});
