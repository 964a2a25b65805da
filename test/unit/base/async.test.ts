import { Semaphore } from '../../../src/base/async/semaphore';
import { oneAnIteration } from '../../../src/base/async/large-pieces';
import { withinTime, backOffMs } from '../../../src/base/async/time-limit';

const LONG_MS = 60_000;
const never = new Promise<never>(() => undefined);

describe('work with a time limit', () => {
  test('in time gives its value, or throws what it throws', async () => {
    await expect(withinTime(Promise.resolve('value'), LONG_MS, () => 'late')).resolves.toBe('value');
    const failing = Promise.reject(new Error('broken'));
    await expect(withinTime(failing, LONG_MS, () => 'late')).rejects.toThrow('broken');
  });

  test('that is late gives what is said of that, which may be an error', async () => {
    await expect(withinTime(never, 1, () => 'late')).resolves.toBe('late');
    const limit = withinTime(never, 1, () => {
      throw new Error('too late');
    });
    await expect(limit).rejects.toThrow('too late');
  });

  test('that is late and then fails is no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      let fail = (_: Error): void => undefined;
      const work = new Promise<never>((_, reject) => (fail = reject));
      await withinTime(work, 1);
      fail(new Error('after its time'));
      await new Promise(setImmediate);
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});

test('a semaphore lets as many in as it has permits, and the others in the order in which they came', async () => {
  const semaphore = new Semaphore(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((index) =>
    semaphore.run(async () => {
      begun.push(index);
      await new Promise<void>((end) => (ends[index] = end));
      if (index === 1) throw new Error('broken');
    }),
  );
  const settled = Promise.allSettled(all);
  expect(begun).toEqual([0, 1]);
  // A failed action also gives its permit back.
  ends[1]?.();
  await expect(all[1]).rejects.toThrow('broken');
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.();
  await all[0];
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[2]?.();
  ends[3]?.();
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});

test('a back-off lies between nothing and a bound that doubles up to the longest', () => {
  for (const [tries, bound] of [
    [1, 2],
    [3, 8],
    [20, 50],
  ] as const) {
    const waits = Array.from({ length: 200 }, () => backOffMs(tries, 50));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(bound);
    expect(Math.max(...waits)).toBeGreaterThan(bound / 2);
  }
});

test('one caller continues in each iteration of the event loop, in the order of asking', async () => {
  const next = oneAnIteration();
  let iteration = 0;
  let isOver = false;
  const count = (): void => {
    iteration += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const continued: [string, number][] = [];
  const callers = ['a', 'b', 'c'].map(async (name) => {
    await next();
    continued.push([name, iteration]);
  });
  await Promise.all(callers);
  isOver = true;
  expect(continued.map(([name]) => name)).toEqual(['a', 'b', 'c']);
  expect(new Set(continued.map(([, at]) => at)).size).toBe(3);
});
