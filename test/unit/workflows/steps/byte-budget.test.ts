import fc from 'fast-check';
import { type BudgetBounds, ByteBudget } from '../../../../workflows/steps/byte-budget';
import { RunTooLargeError } from '../../../../workflows/steps/result-allowance';

const BOUNDS: BudgetBounds = { together: 1_000, inFlight: 200, inTask: 50, sent: 5_000 };
/** Waits until everything that can continue has done so. */
const settleAll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const ofLength = (length: number): string => 'x'.repeat(Math.max(0, length - 2));

interface Call {
  readonly length: number;
  readonly isInline: boolean;
  readonly resultLength: number;
}

interface Going extends Call {
  readonly index: number;
  end(): void;
}

/** A run whose calls and workflow tasks end when the test says so. */
function testRun(bounds = BOUNDS) {
  const going = new Map<number, Going>();
  const started: number[] = [];
  const built: number[] = [];
  let startedInTask = 0;
  let waiting: (() => void)[] = [];
  let isCancelled = false;
  const budget = new ByteBudget(bounds, {
    nextTask: () => new Promise<void>((next) => waiting.push(next)),
    isCancelled: () => isCancelled,
  });
  const make = (call: Call, index: number): Promise<string> =>
    budget.call(
      () => ({ length: call.length }),
      () => {
        built.push(index);
        return {
          ...call,
          run: () =>
            new Promise<string>((resolve) => {
              started.push(index);
              startedInTask += call.isInline ? 0 : call.length;
              going.set(index, {
                ...call,
                index,
                end() {
                  going.delete(index);
                  startedInTask += call.isInline ? call.resultLength : 0;
                  resolve(ofLength(call.resultLength));
                },
              });
            }),
        };
      },
      (result) => result,
    );
  return {
    budget,
    make,
    going,
    started,
    built,
    get startedInTask() {
      return startedInTask;
    },
    get isWaiting() {
      return waiting.length > 0;
    },
    cancel() {
      isCancelled = true;
    },
    /** Completes a task: its calls are sent, and timers fire. */
    async nextTask() {
      startedInTask = 0;
      const ended = waiting;
      waiting = [];
      for (const next of ended) next();
      await settleAll();
    },
  };
}

const call = (length: number, more: Partial<Call> = {}): Call => ({
  length,
  isInline: false,
  resultLength: 2,
  ...more,
});

test('calls that fit start at once, in the same iteration of the event loop', () => {
  const run = testRun();
  for (const index of [0, 1, 2, 3]) void run.make(call(10), index);
  expect(run.started).toEqual([0, 1, 2, 3]);
  expect(run.isWaiting).toBe(false);
});

test('whatever is called: all calls end, in order of asking, within the bounds of memory and of a task', async () => {
  const anyCall = fc.record({
    length: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 260 })),
    isInline: fc.boolean(),
    resultLength: fc.integer({ min: 2, max: 12 }),
  });
  const seen = { crowded: 0, paused: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyCall, { maxLength: 25 }),
      fc.infiniteStream(fc.nat()),
      async (calls, choices) => {
        const run = testRun({ ...BOUNDS, sent: Infinity });
        let done = 0;
        const all = calls.map((one, index) => run.make(one, index).then(() => (done += 1)));
        for (let round = 0; done < calls.length; round += 1) {
          expect(round).toBeLessThan(1_000);
          await settleAll();
          const going = [...run.going.values()];
          const inFlight = going.reduce((sum, { length }) => sum + length, 0);
          if (going.length > 1) expect(inFlight).toBeLessThanOrEqual(BOUNDS.inFlight);
          if (run.isWaiting) seen.paused += 1;
          else if (run.started.length < calls.length) seen.crowded += 1;
          // An inline call ends within its task, any other in a later one.
          const light = going.filter(({ isInline }) => isInline);
          const { value: choice } = choices.next();
          if (light.length > 0 && choice % 2 === 0) light[choice % light.length]!.end();
          else {
            const [longest = 0] = going
              .filter(({ isInline }) => !isInline)
              .map(({ length }) => length)
              .sort((a, b) => b - a);
            // One call may be longer than the limit; it then runs alone, except for results of inline calls.
            expect(run.startedInTask).toBeLessThanOrEqual(
              Math.max(BOUNDS.inTask, longest) + 12 * calls.length,
            );
            await run.nextTask();
            going[choice % Math.max(1, going.length)]?.end();
          }
        }
        await Promise.all(all);
        expect(run.started).toEqual(calls.map((_, index) => index));
      },
    ),
    { numRuns: 200 },
  );
  expect(Math.min(seen.crowded, seen.paused)).toBeGreaterThan(0);
});

test('no more is started in a task than its bound, and the rest in later ones without waiting for an end', async () => {
  const run = testRun();
  for (let index = 0; index < 8; index += 1) void run.make(call(20), index);
  expect(run.started).toEqual([0, 1]);
  await run.nextTask();
  expect(run.started).toEqual([0, 1, 2, 3]);
  await run.nextTask();
  await run.nextTask();
  expect(run.started).toHaveLength(8);
});

test('nothing is built for a call before there is room for it', async () => {
  const run = testRun();
  for (const index of [0, 1, 2]) void run.make(call(150), index);
  await run.nextTask();
  expect(run.built).toEqual([0]);
  run.going.get(0)!.end();
  await settleAll();
  expect(run.built).toEqual([0, 1]);
});

test('results of inline calls count in the task they end in', async () => {
  const run = testRun();
  void run.make(call(10, { isInline: true, resultLength: 45 }), 0);
  run.going.get(0)!.end();
  await settleAll();
  void run.make(call(10), 1);
  expect(run.started).toEqual([0]);
  await run.nextTask();
  expect(run.started).toEqual([0, 1]);
});

test('work that filled a task is followed by more of it in the next one, one at a time', async () => {
  const run = testRun();
  const worked: number[] = [];
  const work = async (index: number): Promise<void> => {
    for (let wait = run.budget.roomForWork(); wait !== undefined; wait = run.budget.roomForWork()) await wait;
    worked.push(index);
    run.budget.countWork(80);
  };
  const all = [0, 1, 2].map(work);
  expect(worked).toEqual([0]);
  await run.nextTask();
  expect(worked).toEqual([0, 1]);
  await run.nextTask();
  await Promise.all(all);
});

describe('what can never fit ends the run', () => {
  test('beside what it keeps', async () => {
    const run = testRun();
    const first = run.make(call(10, { resultLength: 900 }), 0);
    run.going.get(0)!.end();
    await first;
    await expect(run.make(call(150), 1)).rejects.toThrow(RunTooLargeError);
    await expect(run.make(call(150), 1)).rejects.toMatchObject({ failure: { type: 'PAYLOAD_TOO_LARGE' } });
    expect(run.built).toEqual([0]);
  });

  test('beside the lists it works through, until they are done with', async () => {
    const run = testRun();
    const release = run.budget.hold(950);
    await expect(run.make(call(60), 0)).rejects.toThrow(RunTooLargeError);
    expect(() => run.budget.hold(60)).toThrow(RunTooLargeError);
    release();
    const again = testRun();
    again.budget.hold(950)();
    void again.make(call(60), 0);
    expect(again.started).toEqual([0]);
  });

  test('of all that it sends', async () => {
    const run = testRun();
    for (let index = 0; index < 100; index += 1) {
      const sent = run.make(call(50), index);
      await run.nextTask();
      run.going.get(index)!.end();
      await sent;
    }
    await expect(run.make(call(1), 100)).rejects.toThrow(
      "the arguments of the run's calls are longer than 5000",
    );
  });

  test('and a result that is kept', async () => {
    const run = testRun();
    const first = run.make(call(10, { resultLength: 1_001 }), 0);
    run.going.get(0)!.end();
    await expect(first).rejects.toThrow(RunTooLargeError);
  });
});

test('a failure gives its room back, and so does a call that cannot be built', async () => {
  const run = testRun();
  const failing = (stage: 'estimate' | 'build' | 'run'): Promise<never> => {
    const fail = (): never => {
      throw new Error(stage);
    };
    return run.budget.call<never>(
      () => (stage === 'estimate' ? fail() : { length: 4 }),
      () =>
        stage === 'build'
          ? fail()
          : { length: 40, isInline: false, run: async () => Promise.resolve(fail()) },
      (result) => result,
    );
  };
  for (const stage of ['estimate', 'build', 'run'] as const)
    await expect(failing(stage)).rejects.toThrow(stage);
  // A call that cannot be built does not give back what it took of the task.
  void run.make(call(46), 0);
  expect(run.started).toEqual([0]);
});

test('calls that were cancelled while they waited do not begin', async () => {
  const run = testRun();
  const ends = [0, 1, 2, 3].map((index) =>
    run.make(call(150), index).catch((error: unknown) => (error as Error).name),
  );
  run.cancel();
  await run.nextTask();
  run.going.get(0)!.end();
  await settleAll();
  expect(await Promise.all(ends.slice(1))).toEqual(Array(3).fill('CancelledFailure'));
  expect(run.built).toEqual([0]);
});

test('once it is closed nothing starts, and nothing waits', async () => {
  const run = testRun();
  const ends = [0, 1, 2].map((index) =>
    run.make(call(150), index).catch((error: unknown) => (error as Error).name),
  );
  await run.nextTask();
  run.budget.close();
  await run.nextTask();
  expect(await Promise.all(ends.slice(1))).toEqual(['CancelledFailure', 'CancelledFailure']);
  expect(run.built).toEqual([0]);
});

test('a result beyond the bound ends the run', async () => {
  const run = testRun();
  const long = run.make(call(10, { resultLength: 1_001 }), 0);
  run.going.get(0)!.end();
  await expect(long).rejects.toThrow(RunTooLargeError);
});
