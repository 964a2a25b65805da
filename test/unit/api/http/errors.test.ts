import { schemaChecks } from '../../../support/argument-checks';
import { pino } from 'pino';
import { createApp } from '../../../../api/app';
import { defineRoute } from '../../../../api/http/route';
import { type HttpServer, listen } from '../../../../api/http/server';
import { toolRoutes } from '../../../../api/tools/registry-routes';
import { HoldfastError } from '../../../../src/base/errors';
import { createSecretBox, KEY_BYTES } from '../../../../src/secrets/secret-box';
import { NO_METRICS } from '../../../../src/base/metrics';
import type { ErrorCode } from '../../../../src/base/error-codes';
import { z } from 'zod';
import { get, post } from '../../../support/http';
import { waitFor } from '../../../support/wait';

let server: HttpServer;
const lines: { level: number; msg: string; code?: string; err?: { message: string } }[] = [];
let failure: unknown;
/** Whether the request has started a run before it fails. */
let startsRun = false;
const faults: string[] = [];

const never = (): Promise<never> => Promise.reject(new Error('not asked for here'));

beforeAll(async () => {
  const route = defineRoute({
    method: 'get',
    path: '/api/failing',
    operationId: 'try',
    access: 'read',
    tag: 'Test',
    summary: '',
    message: '',
    request: {},
    response: z.unknown(),
    handler: async (_input, context) => {
      if (startsRun) context.noteRun({ workflowId: 'mcp/1', runId: 'r' });
      throw failure as Error;
    },
  });
  const registry = {
    seed: never,
    get: never,
    getMany: never,
    list: never,
    count: never,
    changeRemoteTools: never,
    register: never,
    remove: never,
    clear: never,
    restoreBuiltins: never,
  };
  const busy = new HoldfastError('TOOL_TIMEOUT', 'The check waited 5000 ms for a free sandbox thread', {
    retryable: true,
  });
  const tools = toolRoutes(
    {
      sandbox: { check: () => Promise.reject(busy) },
      secrets: createSecretBox(Buffer.alloc(KEY_BYTES)),
      externalQueues: [],
    },
    { TOOL_TIMEOUT_MS: 1_000, MAX_TOOLS_PER_CALL: 5, MAX_SOURCE_BYTES: 1_000 },
  );
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 10_000 },
    metrics: { ...NO_METRICS, requestFailed: (fault) => faults.push(fault) },
    logger: pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) }),
    routes: [...tools, route],
    servicesOf: () => ({ registry, schemaChecks, statistics: { read: never } }),
    info: { title: 'test', description: '' },
    isReady: () => true,
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
});
afterAll(() => server.close(100));

test.each<[ErrorCode, string | null]>([
  ['ENGINE_UNAVAILABLE', '1'],
  ['STORE_UNAVAILABLE', '1'],
  ['EMBEDDER_UNAVAILABLE', '1'],
  ['UNHEALTHY', '1'],
  ['RUN_STILL_GOING', null],
  ['TOOL_TIMEOUT', null],
])('%s is answered with Retry-After %s', async (code, retryAfter) => {
  failure = new HoldfastError(code, 'no luck');
  expect((await get(`${server.url}/api/failing`)).headers.get('retry-after')).toBe(retryAfter);
});

test.each<ErrorCode>(['STORE_UNAVAILABLE', 'EMBEDDER_UNAVAILABLE', 'ENGINE_UNAVAILABLE'])(
  '%s of a run is answered without Retry-After: asking again would start another run',
  async (code) => {
    failure = new HoldfastError(code, 'no luck');
    startsRun = true;
    const { status, headers } = await get(`${server.url}/api/failing`);
    startsRun = false;
    expect([status, headers.get('x-trace-id'), headers.get('retry-after')]).toEqual([503, 'r', null]);
  },
);

test.each([
  [1_500, '2'],
  [0, '1'],
  [undefined, null],
])(
  'MODEL_UNAVAILABLE of a run says when its provider takes requests again: %s ms',
  async (retryAfterMs, header) => {
    failure = new HoldfastError('MODEL_UNAVAILABLE', 'too many requests', { details: { retryAfterMs } });
    startsRun = true;
    const { headers } = await get(`${server.url}/api/failing`);
    startsRun = false;
    expect(headers.get('retry-after')).toBe(header);
  },
);

test('a run that may have been started is named by the header too, and asking again is not advised', async () => {
  const details = { service: 'temporal', reason: 'no answer', workflowId: 'execute-tool/x/1' };
  failure = new HoldfastError('ENGINE_UNAVAILABLE', 'gone', { details });
  const answer = await get(`${server.url}/api/failing`);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('x-workflow-id')).toBe('execute-tool/x/1');
  expect(answer.headers.get('retry-after')).toBeNull();
  expect(answer.body.details).toEqual(details);
});

test('no line repeats what a caller sent, such as a path or the name of a tool', async () => {
  lines.length = 0;
  await get(`${server.url}/api/secret-of-ann`);
  await post(`${server.url}/api/secret-of-ann`);
  await get(`${server.url}/api/failing/secret-of-ann`);
  failure = new HoldfastError('TOOL_NOT_FOUND', 'There is no tool "secret-of-ann"');
  await get(`${server.url}/api/failing`);
  await waitFor(() => lines.filter(({ msg }) => msg === 'request').length === 4, { what: 'the lines' });
  expect(lines.map(({ code }) => code)).toEqual(expect.arrayContaining(['PATH_NOT_FOUND', 'TOOL_NOT_FOUND']));
  expect(JSON.stringify(lines)).not.toContain('ann');
});

test('an outage is logged with its cause, and not once a request', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  lines.length = 0;
  failure = new HoldfastError('STORE_UNAVAILABLE', 'gone', { cause: new Error('/data/x.db: SQLITE_IOERR') });
  for (let i = 0; i < 5; i += 1) {
    const answer = await get(`${server.url}/api/failing`);
    expect(answer.text).not.toContain('x.db');
    expect(answer.body.details).toEqual({ service: 'database', reason: 'gone' });
  }
  const warnings = lines.filter(({ level }) => level >= 40);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatchObject({
    level: 40,
    code: 'STORE_UNAVAILABLE',
    err: { message: '/data/x.db: SQLITE_IOERR' },
  });
});

test('a source that no thread was free to check is a 503, and not the fault of a tool', async () => {
  const answer = await post(`${server.url}/api/tools/register`, { name: 'late', execute: '() => 1' });
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({
    success: false,
    message: 'Service unavailable',
    error: expect.stringContaining('could not be checked'),
    details: { service: 'sandbox', reason: expect.stringContaining('free sandbox thread') },
  });
});

test('answers that are the fault of the service are counted, and not how a tool of a caller ended', async () => {
  faults.length = 0;
  const failures = [
    new HoldfastError('TOOL_EXECUTION_FAILED', 'no'),
    new HoldfastError('WORKFLOW_EXECUTION_FAILED', 'no'),
    new HoldfastError('RUN_STILL_GOING', 'later'),
    new HoldfastError('VALIDATION', 'no'),
    new HoldfastError('STORE_UNAVAILABLE', 'gone'),
    new Error('a mistake'),
  ];
  const statuses: number[] = [];
  for (failure of failures) statuses.push((await get(`${server.url}/api/failing`)).status);
  expect(statuses).toEqual([500, 500, 503, 400, 503, 500]);
  expect(faults).toEqual(['STORE_UNAVAILABLE', 'INTERNAL']);
});
