import type { Config } from '../../../src/settings/config';
import type { Logger } from '../../../src/base/logger';
import { createEngine } from '../../../temporal/engine';

/** The answers of the server to checks, in order; afterwards it answers every check. */
let answers: boolean[];
let asked: number;

jest.mock('../../../temporal/search-attributes', () => ({
  registerSearchAttributes: () => Promise.resolve(true),
}));
jest.mock('@temporalio/worker', () => ({
  NativeConnection: {
    connect: () =>
      Promise.resolve({
        workflowService: {
          describeNamespace: () => {
            asked += 1;
            if (answers.shift() === false) return Promise.reject(new Error('too slow'));
            return Promise.resolve({ namespaceInfo: { id: 'n' } });
          },
        },
        withDeadline: (_: number, call: () => unknown) => call(),
        close: () => Promise.resolve(),
      }),
  },
}));

const quiet = (): void => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet } as unknown as Logger;

beforeEach(() => {
  asked = 0;
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

/**
 * The values of `isReachable` after each check of a server with these answers; the first check is the connection's own.
 */
async function looks(...given: boolean[]): Promise<boolean[]> {
  answers = [true, ...given];
  const engine = createEngine({
    config: { identity: 'test', environment: {} } as Config,
    logger,
    dataConverter: {},
    address: 'here:1',
  });
  await engine.ready();
  const seen: boolean[] = [];
  while (seen.length < given.length) {
    const before = asked;
    while (asked === before) await jest.advanceTimersByTimeAsync(100);
    seen.push(engine.isReachable());
  }
  await engine.close();
  return seen;
}

test('one look that fails, or two, do not make the server unreachable', async () => {
  expect(await looks(true, false, true, false, false, true)).toEqual([true, true, true, true, true, true]);
});

test('three in a row do, and one answer ends it', async () => {
  expect(await looks(false, false, false, false, true, false)).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
  ]);
});

test('after a failure the server is looked at sooner, so that its loss is noticed within seconds', async () => {
  const began = Date.now();
  await looks(false, false, false);
  expect(Date.now() - began).toBeLessThan(5_000);
});

test('checks for others, however many, do not count', async () => {
  answers = [true, false, false, false, false];
  const engine = createEngine({
    config: { identity: 'test', environment: {} } as Config,
    logger,
    dataConverter: {},
    address: 'here:1',
  });
  await engine.ready();
  const checks = await Promise.allSettled(Array.from({ length: 4 }, () => engine.check()));
  expect(checks.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect(engine.isReachable()).toBe(true);
  await engine.close();
});
