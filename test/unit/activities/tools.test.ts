import { createToolActivities } from '../../../activities/tools';
import type { ToolStep } from '../../../src/contracts/runs/tools';
import { COUNT_LIMIT_MS } from '../../../src/contracts/runs/tools';
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

/** Statistics that store an outcome when they are let. */
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
