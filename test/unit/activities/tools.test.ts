import { createToolActivities } from '../../../activities/tools';
import { COUNT_LIMIT_MS, type ToolStep } from '../../../src/contracts/runs/tools';
import type { ToolCallOutcome } from '../../../src/contracts/http/tools';
import { toolError } from '../../../src/base/errors';
import { inActivity } from '../../support/activity-context';

const STEP: ToolStep = {
  toolName: 'calculator',
  args: {},
  implementation: { kind: 'builtin' },
  step: '1',
  deadline: 0,
  limits: { timeoutMs: 1_000, source: 'options.timeout', maxAttempts: 1 },
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Statistics that store an outcome when the test allows it. */
function slowStatistics() {
  const stored: ToolCallOutcome[] = [];
  const waiting: (() => void)[] = [];
  return {
    stored,
    letGo: () => waiting.splice(0).forEach((go) => go()),
    record: (outcome: ToolCallOutcome) =>
      new Promise<void>((resolve) => {
        waiting.push(() => {
          stored.push(outcome);
          resolve();
        });
      }),
  };
}

async function endOf(action: Promise<unknown>): Promise<unknown> {
  let end: unknown = 'not yet';
  void action.then(
    (value) => (end = value),
    (error: unknown) => (end = error),
  );
  await jest.advanceTimersByTimeAsync(0);
  return end === 'not yet' ? end : { end };
}

test('a call ends when its count is stored', async () => {
  const statistics = slowStatistics();
  const runner = { run: () => Promise.resolve({ value: 3 }) };
  const { runTool } = createToolActivities({ runner, statistics });
  const call = inActivity(() => runTool(STEP));
  expect(await endOf(call)).toBe('not yet');
  statistics.letGo();
  expect(await call).toMatchObject({ output: 3 });
  expect(statistics.stored).toHaveLength(1);
});

test.each([
  ['a success', true],
  ['a failure', false],
])(
  '%s does not wait for its count longer than the limit, and is counted all the same',
  async (_, succeeds) => {
    const statistics = slowStatistics();
    const error = toolError('no');
    const runner = { run: () => (succeeds ? Promise.resolve({ value: 3 }) : Promise.reject(error)) };
    const { runTool } = createToolActivities({ runner, statistics });
    const call = inActivity(() => runTool(STEP));
    const ended = endOf(call);
    await jest.advanceTimersByTimeAsync(COUNT_LIMIT_MS - 1);
    expect(await endOf(call)).toBe('not yet');
    await jest.advanceTimersByTimeAsync(1);
    expect(await endOf(call)).toEqual({ end: succeeds ? expect.objectContaining({ output: 3 }) : error });
    await ended;
    expect(statistics.stored).toEqual([]);
    statistics.letGo();
    await jest.advanceTimersByTimeAsync(0);
    expect(statistics.stored).toMatchObject([{ runId: 'r', step: '1', success: succeeds }]);
  },
);

describe('calls that follow in the same activity', () => {
  const follow = (step: string, b: unknown = 1) => ({
    step,
    call: {
      toolName: 'calculator',
      args: { a: '{{previous_result}}', b },
      implementation: { kind: 'builtin' as const },
    },
  });
  const first = {
    ...STEP,
    args: { a: 1, b: 1 },
    following: { calls: [follow('2'), follow('3'), follow('4')] },
  };
  /** Adds, or fails for the reason given for a step. */
  const adder = (reasons: Readonly<Record<string, Error>> = {}) => ({
    run: jest.fn(({ step, args }: ToolStep) => {
      const reason = reasons[step];
      if (reason !== undefined) return Promise.reject(reason);
      return Promise.resolve({ value: Number(args['a']) + Number(args['b']), logs: [`ran ${step}`] });
    }),
  });
  const ran = ({ run }: ReturnType<typeof adder>) => run.mock.calls.map(([{ step }]) => step);

  test('each has its own result, deadline and count; the counts are written together', async () => {
    const statistics = slowStatistics();
    const runner = adder();
    const { runTool } = createToolActivities({ runner, statistics });
    const call = inActivity(() => runTool(first));
    expect(await endOf(call)).toBe('not yet');
    expect(ran(runner)).toEqual(['1', '2', '3', '4']);
    statistics.letGo();
    const { output, logs, following } = await call;
    expect([output, logs]).toEqual([2, ['ran 1']]);
    expect(following).toMatchObject([
      { step: '2', succeeded: true, result: { output: 3, logs: ['ran 2'] } },
      { step: '3', succeeded: true, result: { output: 4 } },
      { step: '4', succeeded: true, result: { output: 5 } },
    ]);
    expect(statistics.stored).toMatchObject(
      ['1', '2', '3', '4'].map((step) => ({ runId: 'r', step, success: true })),
    );
    const deadlines = runner.run.mock.calls.map(([{ deadline }]) => deadline);
    expect(deadlines).toEqual([0, Date.now() + 1_000, Date.now() + 1_000, Date.now() + 1_000]);
  });

  test('a failure ends them, and is the outcome of its call', async () => {
    const statistics = slowStatistics();
    const runner = adder({ '3': toolError('no') });
    const { runTool } = createToolActivities({ runner, statistics });
    const call = inActivity(() => runTool(first));
    await endOf(call);
    statistics.letGo();
    expect(await call).toMatchObject({
      output: 2,
      following: [
        { step: '2', succeeded: true },
        { step: '3', succeeded: false, code: 'TOOL_EXECUTION_FAILED', message: 'no' },
      ],
    });
    expect(ran(runner)).toEqual(['1', '2', '3']);
    expect(statistics.stored.map(({ success }) => success)).toEqual([true, true, false]);
  });

  test('a failure of the first is that of the activity', async () => {
    const statistics = slowStatistics();
    const runner = adder({ '1': toolError('no') });
    const { runTool } = createToolActivities({ runner, statistics });
    const call = inActivity(() => runTool(first));
    const ended = endOf(call);
    await ended;
    statistics.letGo();
    expect(await endOf(call)).toMatchObject({ end: { message: 'no' } });
    expect(ran(runner)).toEqual(['1']);
  });

  test('a call that is not inline once it is resolved, and those behind it, are left to the workflow', async () => {
    const runner = adder();
    const { runTool } = createToolActivities({ runner, statistics: { record: () => Promise.resolve() } });
    const calls = [follow('2'), follow('3', '{{previous_result.none}}'), follow('4')];
    const { following } = await inActivity(() => runTool({ ...first, following: { calls } }));
    expect(following).toMatchObject([{ step: '2', succeeded: true }]);
    expect(ran(runner)).toEqual(['1', '2']);
  });
});
