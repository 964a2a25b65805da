import { HoldfastError } from '../../../../src/base/errors';
import { type NextEventPorts, readNextEvent } from '../../../../requests/answers/next-event';

let mockProblem: HoldfastError;
jest.mock('../../../../temporal/runs/run-lookup', () => ({
  ...jest.requireActual<object>('../../../../temporal/runs/run-lookup'),
  findRun: () => Promise.reject(mockProblem),
}));
jest.mock('../../../../requests/answers/with-steps', () => ({
  withSteps: (_engine: unknown, record: object) => Promise.resolve(record),
}));

const description = {
  type: 'executeTool',
  runId: 'run-1',
  status: { name: 'COMPLETED' },
  startTime: new Date(0),
  closeTime: new Date(5_000),
  historyLength: 11,
  raw: {},
};
const ports = {
  engine: {
    current: () => ({
      native: { withDeadline: (_deadline: number, call: () => unknown) => call() },
      client: { workflow: { getHandle: () => ({ describe: () => Promise.resolve(description) }) } },
    }),
  },
  now: () => 9_000,
} as unknown as NextEventPorts;
const question = { workflowId: 'w', events: ['run.completed'], after: 0, startedBefore: 0 };
const unavailable = (reason: string, retryable = true): HoldfastError =>
  new HoldfastError('STORE_UNAVAILABLE', 'it cannot be read', { details: { reason }, retryable });

test('the end of a run whose result is lost is reported without the result', async () => {
  mockProblem = unavailable('missing');
  const next = await readNextEvent(ports, question, new AbortController().signal);
  expect(next).toMatchObject({ type: 'run.completed', name: 'end', isLast: true });
  const { data } = JSON.parse((next as { readonly body: string }).body) as { readonly data: object };
  expect(data).toMatchObject({ traceId: 'run-1', status: 'completed' });
});

test.each([true, false])('the end of a run is not reported while the store is away', async (retryable) => {
  mockProblem = unavailable('timeout', retryable);
  await expect(readNextEvent(ports, question, new AbortController().signal)).rejects.toBe(mockProblem);
});
