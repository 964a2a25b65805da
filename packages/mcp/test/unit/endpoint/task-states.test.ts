import type { Approval } from '../../../../../src/contracts/http/approvals';
import type { RunRecord } from '../../../../../temporal/runs/run-lookup';
import { toEndedTask, toOpenTask } from '../../../endpoint/task-states';

const SHOWN = { hasOutputSchema: false, linksRuns: true };

const BEGAN = '2026-01-01T00:00:00.000Z';
const ENDED = '2026-01-01T00:00:07.000Z';
const run = { workflowId: 'execute-tool/a/1', runId: 'r' };

function record(more: object): RunRecord {
  const common = { ...run, traceId: 'r', type: 'executeTool', status: 'completed' };
  return { ...common, startedAt: BEGAN, closedAt: ENDED, ...more };
}
const failure = (code: string) => ({ error: { code, message: `the message of ${code}` } });
const approval = (id: string, requestedAt: string) =>
  ({ id, requestedAt, kind: 'call', toolName: 'pay', args: {} }) as unknown as Approval;

beforeEach(() => void jest.useFakeTimers({ now: Date.parse(BEGAN) + 1_000 }));
afterEach(() => void jest.useRealTimers());

describe('an open run', () => {
  test('is a task at work, about which clients ask less often after a minute', () => {
    expect(toOpenTask('t', { startedAt: BEGAN }, [])).toEqual({
      taskId: 't',
      status: 'working',
      createdAt: BEGAN,
      lastUpdatedAt: BEGAN,
      ttlMs: null,
      pollIntervalMs: 1_000,
    });
    jest.setSystemTime(Date.parse(BEGAN) + 60_000);
    expect(toOpenTask('t', { startedAt: BEGAN }, []).pollIntervalMs).toBe(5_000);
  });

  test('that waits for people asks for the input of each', () => {
    const approvals = [approval('b', '2026-01-01T00:00:03.000Z'), approval('a', '2026-01-01T00:00:02.000Z')];
    const task = toOpenTask('t', { startedAt: BEGAN }, approvals);
    expect([task.status, task.lastUpdatedAt]).toEqual(['input_required', '2026-01-01T00:00:03.000Z']);
    expect(Object.keys(task.inputRequests!).sort()).toEqual(['a', 'b']);
    expect(task.inputRequests!['a']).toMatchObject({ method: 'elicitation/create' });
  });
});

describe('an ended run', () => {
  test.each([
    ['completed', { result: { result: 3 } }, 'completed', undefined],
    ['failed', failure('TOOL_EXECUTION_FAILED'), 'completed', 'TOOL_EXECUTION_FAILED'],
    ['failed', failure('TOOL_TIMEOUT'), 'completed', 'TOOL_TIMEOUT'],
    ['failed', failure('APPROVAL_DENIED'), 'completed', 'APPROVAL_DENIED'],
    ['failed', failure('INTERNAL'), 'failed', undefined],
    ['failed', failure('STORE_UNAVAILABLE'), 'failed', undefined],
    ['failed', failure('RUN_HARMFUL'), 'failed', undefined],
    ['timed_out', failure('RUN_TIMEOUT'), 'failed', undefined],
    ['timed_out', failure('TOOL_TIMEOUT'), 'failed', undefined],
    ['terminated', failure('RUN_TERMINATED'), 'failed', undefined],
    ['cancelled', failure('RUN_CANCELLED'), 'cancelled', undefined],
  ])('%s, %j is a task that is %s', (status, outcome, expected, code) => {
    const task = toEndedTask('t', record({ status, ...outcome }), 0, SHOWN);
    expect(task.status).toBe(expected);
    expect([task.createdAt, task.lastUpdatedAt, task.ttlMs]).toEqual([BEGAN, ENDED, null]);
    if (expected === 'completed') {
      const isError = code === undefined ? {} : { isError: true };
      expect(task.result).toMatchObject({ ...isError, _meta: { 'holdfast/runId': 'r' } });
      expect(task.result!._meta!['holdfast/code']).toBe(code);
    } else expect(task.result).toBeUndefined();
    expect(task.error?.code).toBe(expected === 'failed' ? -32603 : undefined);
    expect(task.statusMessage === undefined).toBe(expected === 'completed');
  });

  test('is kept as long as the server keeps runs', () => {
    expect(toEndedTask('t', record({ result: {} }), 60_000, SHOWN).ttlMs).toBe(67_000);
  });

  test('with an error of the service does not show its internals', () => {
    const task = toEndedTask('t', record({ status: 'failed', ...failure('INTERNAL') }), 0, SHOWN);
    expect(JSON.stringify(task)).not.toContain('the message of');
  });
});
