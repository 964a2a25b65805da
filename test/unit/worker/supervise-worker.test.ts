import { pino } from 'pino';
import type { Engine, EngineConnection } from '../../../temporal/engine';
import { superviseWorker } from '../../../worker/supervise-worker';
import type { GuardedWorker } from '../../../worker/worker-guard';

const logger = pino({ level: 'silent' });
const engine = { ready: () => Promise.resolve({} as EngineConnection) } as Engine;

/** A worker that runs until it is shut down. */
function fakeWorker(): GuardedWorker {
  let end: () => void = () => undefined;
  let state = 'INITIALIZED';
  const worker = {
    getState: () => state,
    run: () => {
      state = 'RUNNING';
      return new Promise<void>((resolve) => (end = resolve));
    },
    shutdown: () => {
      state = 'STOPPED';
      end();
    },
  };
  return { worker: worker as unknown as GuardedWorker['worker'], release: () => Promise.resolve() };
}

/** Waits until everything that the test does not hold back has run. */
const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let made: number;
let begin: () => void;
beforeEach(() => (made = 0));

function supervise() {
  const mayBegin = new Promise<void>((resolve) => (begin = resolve));
  const create = (): Promise<GuardedWorker> => {
    made += 1;
    return Promise.resolve(fakeWorker());
  };
  return superviseWorker({ engine, logger, taskQueue: 'queue', create, mayBegin });
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
