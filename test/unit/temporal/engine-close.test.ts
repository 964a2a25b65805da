import type { Config } from '../../../src/settings/config';
import type { Logger } from '../../../src/base/logger';
import { createEngine } from '../../../temporal/engine';

/** Ends the attempt to connect that is under way. */
let fail: (error: Error) => void;

jest.mock('../../../temporal/search-attributes', () => ({
  registerSearchAttributes: () => Promise.resolve(true),
}));
jest.mock('@temporalio/worker', () => ({
  NativeConnection: { connect: () => new Promise((_, reject) => (fail = reject)) },
}));

/** How long a shutdown waits for an attempt to connect, ms. An attempt itself may take ten times as long. */
const CLOSE_LIMIT_MS = 1_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function openEngine(onWarning: (message: string) => void = () => undefined) {
  const logger = {
    warn: (_: object, message: string) => onWarning(message),
  } as unknown as Logger;
  const config = { identity: 'test', environment: {} } as Config;
  return createEngine({ config, logger, dataConverter: {}, address: 'here:1' });
}

test('an engine that is closed during an attempt to connect does not wait for the end of the attempt', async () => {
  const warnings: string[] = [];
  const engine = openEngine((message) => warnings.push(message));
  let isClosed = false;
  const closing = engine.close().then(() => (isClosed = true));
  await jest.advanceTimersByTimeAsync(CLOSE_LIMIT_MS - 1);
  expect(isClosed).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(isClosed).toBe(true);
  await closing;
  fail(new Error('refused'));
  await expect(engine.ready()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  expect(warnings).toEqual([]);
});

test('an engine that is closed between two attempts to connect makes no further attempt', async () => {
  const warnings: string[] = [];
  const engine = openEngine((message) => warnings.push(message));
  fail(new Error('refused'));
  await jest.advanceTimersByTimeAsync(1);
  expect(warnings).toEqual(['Temporal is not reachable; trying again']);
  await engine.close();
  await expect(engine.ready()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  expect(jest.getTimerCount()).toBe(0);
});
