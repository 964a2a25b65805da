import { pendingRun, scope } from '../../../support/pending-run';
import { waitForRun } from '../../../../temporal/runs/run-wait';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a wait ends with the open record when its caller has gone, and asks the server once', async () => {
  const { engine, polls, reference } = pendingRun(() => new Promise(() => undefined));
  const gone = new AbortController();
  const wait = waitForRun(engine, scope, reference, { timeoutMs: 60_000, signal: gone.signal });
  await jest.advanceTimersByTimeAsync(1_000);
  gone.abort();
  expect(await wait).toMatchObject({ status: 'running', closedAt: null });
  expect(polls()).toBe(1);
});

test('a server that lets no more requests wait is asked ever less often', async () => {
  const busy = Object.assign(new Error('8 RESOURCE_EXHAUSTED'), { code: 8, details: '', metadata: {} });
  const { engine, polls, reference } = pendingRun(() => Promise.reject(busy));
  const { signal } = new AbortController();
  const wait = waitForRun(engine, scope, reference, { timeoutMs: 60_000, signal });
  await jest.advanceTimersByTimeAsync(60_200);
  expect(await wait).toMatchObject({ status: 'running' });
  expect(polls()).toBeLessThan(20);
});
