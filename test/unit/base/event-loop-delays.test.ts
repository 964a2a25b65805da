import { watchLoop } from '../../../src/base/event-loop-delays';

let now: number;
beforeEach(() => {
  now = 0;
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Advances the clock, while no timer fires until the end. */
function holdUp(ms: number): void {
  now += ms;
  jest.advanceTimersByTime(20);
}

function idle(ticks: number): void {
  for (let tick = 0; tick < ticks; tick += 1) holdUp(20);
}

test('the longest hold-up and the sum of all are reported once, without what a busy process has anyway', () => {
  const watch = watchLoop();
  idle(3);
  holdUp(20 + 300);
  idle(3);
  holdUp(20 + 90);
  holdUp(20 + 500);
  expect(watch.take()).toEqual({ maxMs: 500, totalMs: 800 });
  idle(3);
  expect(watch.take()).toEqual({ maxMs: 0, totalMs: 0 });
  watch.end();
});

test('a hold-up that ended just now is reported before the timer of the watch has fired', () => {
  const watch = watchLoop();
  now += 20 + 400;
  expect(watch.take()).toEqual({ maxMs: 400, totalMs: 400 });
  watch.end();
});

test('no timer is left once the watch has ended', () => {
  watchLoop().end();
  expect(jest.getTimerCount()).toBe(0);
});
