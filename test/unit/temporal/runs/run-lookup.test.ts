import type { Engine } from '../../../../temporal/engine';
import { findRun, locateRun } from '../../../../temporal/runs/run-lookup';
import { scope } from '../../../support/pending-run';
import { completedWith } from '../../../support/run-end';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const reference = { traceId: 'r', workflowId: 'w' };
const later = <T>(ms: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms));

/** An engine with a run that has completed, whose answers take their time. */
function engineWith(describeMs: number, resultMs: number): Engine {
  const description = {
    workflowId: reference.workflowId,
    runId: reference.traceId,
    type: 'executeTool',
    taskQueue: 'q',
    status: { name: 'COMPLETED' },
    startTime: new Date(0),
    closeTime: new Date(1),
    raw: {},
  };
  const handle = { describe: () => later(describeMs, description) };
  const workflowService = {
    getWorkflowExecutionHistory: () => later(resultMs, completedWith({ result: 3 })),
  };
  return {
    address: 'here:1',
    current: () => ({
      native: { withDeadline: (_: number, call: () => unknown) => call() },
      client: { workflow: { getHandle: () => handle }, workflowService },
    }),
  } as unknown as Engine;
}

test('a result that takes long to read is waited for, because the server has answered', async () => {
  const found = findRun(engineWith(10, 20_000), scope, reference);
  await jest.advanceTimersByTimeAsync(20_100);
  expect(await found).toMatchObject({ status: 'completed', result: { result: 3 } });
});

test.each([findRun, locateRun])('a server that does not answer is not waited for that long', async (find) => {
  const found = find(engineWith(20_000, 10), scope, reference).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(3_200);
  expect(await Promise.race([found, Promise.resolve('still waiting')])).toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
  });
});
