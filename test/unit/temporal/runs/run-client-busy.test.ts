import { pino } from 'pino';
import { completedWith } from '../../../support/run-end';
import type { Engine } from '../../../../temporal/engine';
import { createRunClient } from '../../../../temporal/runs/run-client';

const WAIT_MS = 60_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a server that lets no more requests wait is asked ever less often, and the run that ends is heard of', async () => {
  const busy = Object.assign(new Error('8 RESOURCE_EXHAUSTED'), { code: 8, details: '', metadata: {} });
  const asked: number[] = [];
  const began = Date.now();
  const getWorkflowExecutionHistory = (): Promise<object> => {
    asked.push(Date.now() - began);
    return asked.at(-1)! > 40_000 ? Promise.resolve(completedWith('done')) : Promise.reject(busy);
  };
  const start = (): Promise<object> => Promise.resolve({ firstExecutionRunId: 'r' });
  const native = { withDeadline: (_: number, call: () => unknown) => call() };
  const connection = {
    native,
    client: { workflow: { start }, workflowService: { getWorkflowExecutionHistory } },
    searchAttributes: new Set(),
  };
  const client = createRunClient({
    engine: { address: 'here:1', current: () => connection } as unknown as Engine,
    logger: pino({ level: 'silent' }),
    taskQueue: 'q',
    waitLimitMs: WAIT_MS,
  });
  const answer = client.execute(
    {
      workflowType: 'executeTool',
      workflowId: 'execute-tool/x',
      input: {},
      subject: { area: 'tools' },
      summary: 's',
      runTimeoutMs: 1_000,
      requestId: 'request-1',
    },
    () => undefined,
  );
  await jest.advanceTimersByTimeAsync(55_000);
  expect(await answer).toBe('done');
  expect(asked.length).toBeLessThan(20);
  const pauses = asked.slice(1).map((at, index) => at - asked[index]!);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(10_000);
});
