import { pino } from 'pino';
import type { Engine, EngineConnection } from '../../../temporal/engine';
import { superviseWorker } from '../../../worker/supervise-worker';
import type { GuardedWorker } from '../../../worker/worker-guard';
import { waitFor } from '../../support/wait';

const logger = pino({ level: 'silent' });
const engine = { ready: () => Promise.resolve({} as EngineConnection) } as Engine;

interface FakeWorker extends GuardedWorker {
  /** Ends it with an error; without one it stays in the state of a failed worker and does not end. */
  fail(error?: Error): void;
}

/** A worker that runs until it is shut down or fails. */
function fakeWorker(): FakeWorker {
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  let state = 'INITIALIZED';
  const worker = {
    getState: () => state,
    run: () => {
      state = 'RUNNING';
      return new Promise<void>((resolve, reject) => {
        end = resolve;
        fail = reject;
      });
    },
    shutdown: () => {
      state = 'STOPPED';
      end();
    },
  };
  return {
    worker: worker as unknown as GuardedWorker['worker'],
    release: () => Promise.resolve(),
    fail(error) {
      state = 'FAILED';
      if (error !== undefined) fail(error);
    },
  };
}

/** Waits until everything that the test does not hold back has run. */
const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let made: number;
let last: FakeWorker;
let begin: () => void;
let reasons: string[];
beforeEach(() => {
  made = 0;
  reasons = [];
});

function supervise() {
  const mayBegin = new Promise<void>((resolve) => (begin = resolve));
  const create = (): Promise<GuardedWorker> => {
    made += 1;
    last = fakeWorker();
    return Promise.resolve(last);
  };
  const fail = (reason: string): void => void reasons.push(reason);
  return superviseWorker({ engine, logger, taskQueue: 'queue', create, mayBegin, fail });
}

test('a worker is made when it may begin, and not as soon as the engine is there', async () => {
  const supervised = supervise();
  await nextIteration();
  expect([made, supervised.isPolling()]).toEqual([0, false]);
  begin();
  await supervised.polling;
  expect([made, supervised.isPolling()]).toEqual([1, true]);
  await supervised.stop();
  expect(supervised.isPolling()).toBe(false);
});

test('one that is stopped before it may begin is never made', async () => {
  const supervised = supervise();
  await supervised.stop();
  begin();
  await nextIteration();
  expect(made).toBe(0);
});

test('one whose workflow thread ended is replaced', async () => {
  const supervised = supervise();
  begin();
  await supervised.polling;
  last.fail(Object.assign(new Error('the thread ended'), { name: 'UnexpectedError' }));
  await waitFor(() => made === 2 && supervised.isPolling(), { what: 'another worker' });
  expect(reasons).toEqual([]);
  await supervised.stop();
});

test('one that the SDK has given up ends the process, in which no other could run', async () => {
  const supervised = supervise();
  begin();
  await supervised.polling;
  last.fail(new Error('still in use'));
  await nextIteration();
  expect(reasons).toEqual(['the worker of the task queue "queue" failed: still in use']);
  expect(supervised.isPolling()).toBe(false);
  await supervised.stop();
  expect(made).toBe(1);
});

test('so does one that has failed and does not end', async () => {
  jest.useFakeTimers();
  try {
    const supervised = supervise();
    begin();
    await supervised.polling;
    last.fail();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(reasons).toEqual(['the worker of the task queue "queue" failed: it does not end']);
    await supervised.stop();
    expect(made).toBe(1);
  } finally {
    jest.useRealTimers();
  }
});
