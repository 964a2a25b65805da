import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/common';
import { pino } from 'pino';
import { completedWith } from '../../../support/run-end';
import type { Engine, EngineConnection } from '../../../../temporal/engine';
import { createRunClient, type RunClient, type RunRequest } from '../../../../temporal/runs/run-client';

interface StartOptions {
  readonly memo?: unknown;
  readonly typedSearchAttributes?: { getAll(): { key: { name: string }; value: unknown }[] };
}
type Start = (type: string, options: StartOptions) => Promise<{ firstExecutionRunId: string }>;

const lines: { reason: string }[] = [];

function clientWith(start: Start, describe: () => Promise<unknown> = () => Promise.resolve({})): RunClient {
  const searchAttributes = new Set(['HoldfastArea', 'HoldfastTools']);
  const workflow = { start, getHandle: () => ({ describe }) };
  const workflowService = { getWorkflowExecutionHistory: () => Promise.resolve(completedWith('done')) };
  const native = { withDeadline: (_deadline: number, call: () => unknown) => call() };
  const connection = { native, client: { workflow, workflowService }, namespace: 'n', searchAttributes };
  const engine = { address: 'here:1', current: () => connection as unknown as EngineConnection };
  return createRunClient({
    engine: engine as unknown as Engine,
    logger: pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) }),
    taskQueue: 'q',
    waitLimitMs: 1_000,
  });
}

const REQUEST: RunRequest = {
  workflowType: 'executeTool',
  workflowId: 'execute-tool/key-k',
  input: {},
  subject: { area: 'tools', tools: Array.from({ length: 50 }, (_, at) => `${at}${'x'.repeat(60)}`) },
  summary: 's',
  runTimeoutMs: 1_000,
  requestId: 'request-1',
};
const refusal = (): Error =>
  Object.assign(new Error('3 INVALID_ARGUMENT: search attribute HoldfastTools is not defined'), {
    code: 3,
    details: '',
    metadata: {},
  });
const ignore = (): void => undefined;

test('names that no server would take are left out, and the request is in the memo', async () => {
  let given: StartOptions = {};
  const client = clientWith((_type, options) => {
    given = options;
    return Promise.resolve({ firstExecutionRunId: 'r' });
  });
  expect(await client.execute({ ...REQUEST, digest: 'd' }, ignore)).toBe('done');
  expect(given.memo).toEqual({ requestId: 'request-1', requestDigest: 'd' });
  const names = given.typedSearchAttributes?.getAll().find(({ key }) => key.name === 'HoldfastTools')?.value;
  expect((names as string[]).length).toBeGreaterThan(25);
  expect(JSON.stringify(names).length).toBeLessThan(1_950);
});

test('a run whose search attributes are refused starts without, and that is said once', async () => {
  const client = clientWith((_type, { typedSearchAttributes }) => {
    if (typedSearchAttributes?.getAll().length === 0) return Promise.resolve({ firstExecutionRunId: 'r' });
    return Promise.reject(refusal());
  });
  expect(await client.execute(REQUEST, ignore)).toBe('done');
  expect(await client.execute(REQUEST, ignore)).toBe('done');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.reason).toContain('HoldfastTools');
});

describe('joining', () => {
  const RUNNING = { runId: 'r', status: { name: 'RUNNING' }, raw: {} };
  const never: Start = () => Promise.reject(new Error('nothing is to be started'));
  const key = { workflowId: REQUEST.workflowId, digest: 'd', mayRunAgain: false };

  test('finds nothing where no run has the key', async () => {
    const absent = clientWith(never, () => Promise.reject(new WorkflowNotFoundError('no', 'id', undefined)));
    expect(await absent.join(key, ignore)).toEqual({ freeWorkflowId: key.workflowId });
  });

  test('gets the result of the same request', async () => {
    const runs: unknown[] = [];
    const there = clientWith(never, () => Promise.resolve({ ...RUNNING, memo: { requestDigest: 'd' } }));
    expect(await there.join(key, (run) => runs.push(run))).toEqual({ result: 'done' });
    expect(runs).toEqual([
      { workflowId: key.workflowId, runId: 'r', status: 'running', repeated: { isFirst: true } },
    ]);
  });

  test('names the first run of a chain', async () => {
    const raw = { workflowExecutionInfo: { firstRunId: 'first' } };
    const chain = { ...RUNNING, runId: 'third', raw, memo: { requestDigest: 'd' } };
    const runs: unknown[] = [];
    await clientWith(never, () => Promise.resolve(chain)).join(key, (run) => runs.push(run));
    expect(runs).toMatchObject([{ runId: 'first' }]);
  });

  test('is known as no first run of its key where another request has just started it', async () => {
    const lost: Start = (_type, { typedSearchAttributes }) => {
      if ((typedSearchAttributes?.getAll().length ?? 0) > 0) return Promise.reject(refusal());
      return Promise.reject(new WorkflowExecutionAlreadyStartedError('again', `${key.workflowId}/2`, 't'));
    };
    const client = clientWith(lost, () => Promise.resolve({ ...RUNNING, memo: { requestDigest: 'd' } }));
    const runs: unknown[] = [];
    const request = { ...REQUEST, workflowId: `${key.workflowId}/2`, digest: 'd' };
    expect(await client.execute(request, (run) => runs.push(run))).toBe('done');
    expect(runs).toMatchObject([{ runId: 'r', repeated: { isFirst: false } }]);
  });

  test('refuses another request', async () => {
    const other = clientWith(never, () => Promise.resolve({ ...RUNNING, memo: { requestDigest: 'e' } }));
    await expect(other.join(key, ignore)).rejects.toMatchObject({ code: 'RUN_CONFLICT' });
  });

  test('names the run where the server is away', async () => {
    const gone = Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: '', metadata: {} });
    const away = clientWith(never, () => Promise.reject(gone));
    await expect(away.join(key, ignore)).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      details: { service: 'temporal', workflowId: key.workflowId },
    });
  });
});

test('a run is not started after the time until which it may be', async () => {
  let starts = 0;
  const client = clientWith(() => {
    starts += 1;
    return Promise.resolve({ firstExecutionRunId: 'r' });
  });
  await expect(client.execute({ ...REQUEST, startBefore: Date.now() }, ignore)).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    retryable: true,
  });
  expect(starts).toBe(0);
  expect(await client.execute({ ...REQUEST, startBefore: Date.now() + 60_000 }, ignore)).toBe('done');
});
