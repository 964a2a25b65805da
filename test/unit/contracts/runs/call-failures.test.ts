import { type ActivityCause, describeCallFailure } from '../../../../src/contracts/runs/call-failures';
import type { ToolCall } from '../../../../src/contracts/runs/tools';

const call = (args: object): ToolCall => ({
  toolName: 'api_call',
  args: { url: 'http://shop.test', ...args },
  implementation: { kind: 'builtin' },
});
const READING = call({});
const CHANGING = call({ method: 'POST' });
const LATE = 'The tool "api_call" did not finish within 900 ms (limit: options.timeout)';
const about = { toolName: 'api_call', args: READING.args };
const late = { toolName: 'api_call', timeout: 900 };

test.each<[string, ActivityCause | undefined, ToolCall, object]>([
  [
    'a call that no worker took names the queue in which it waited',
    { message: 'activity ScheduleToStart timeout', timeoutType: 'SCHEDULE_TO_START' },
    CHANGING,
    {
      code: 'TOOL_TIMEOUT',
      message: `${LATE}: no worker took it from the task queue "runs-io" (tools that wait for a network or a disk)`,
      details: { ...late, taskQueue: 'runs-io' },
    },
  ],
  [
    'a changing call whose worker was lost may have had its effect',
    { message: 'activity Heartbeat timeout', timeoutType: 'HEARTBEAT' },
    CHANGING,
    { code: 'TOOL_TIMEOUT', message: expect.stringContaining('it may have had its effect'), details: late },
  ],
  [
    'a reading call whose worker was lost may be sent again',
    { message: 'activity Heartbeat timeout', timeoutType: 'HEARTBEAT' },
    READING,
    { code: 'TOOL_TIMEOUT', message: LATE, details: late },
  ],
  [
    'a timeout that the tool reported names its limit, with the lines of its log',
    { message: 'late', type: 'TOOL_TIMEOUT', details: [{ logs: ['one'] }] },
    READING,
    { code: 'TOOL_TIMEOUT', message: LATE, details: { ...late, logs: ['one'] } },
  ],
  [
    'arguments that the tool refused are a failure of the tool',
    { message: 'is for GET alone', type: 'VALIDATION', details: [{ field: 'args.paginate' }] },
    READING,
    { code: 'TOOL_EXECUTION_FAILED', message: 'args.paginate is for GET alone', details: about },
  ],
  [
    'an answer that was not expected is in the details, and other fields are not',
    {
      message: 'status 404',
      type: 'TOOL_EXECUTION_FAILED',
      details: [{ answer: { status: 404 }, step: '2' }],
    },
    READING,
    {
      code: 'TOOL_EXECUTION_FAILED',
      message: 'status 404',
      details: { ...about, answer: { status: 404 } },
    },
  ],
  [
    'a failure of another kind does not show its message',
    undefined,
    READING,
    { code: 'INTERNAL', message: 'The tool "api_call" could not be run', details: about },
  ],
])('%s', (_what, cause, made, expected) => {
  const limits = { timeoutMs: 900, source: 'options.timeout', maxAttempts: 1 } as const;
  expect(describeCallFailure(cause, made, { limits, taskQueue: 'runs' })).toEqual(expected);
});
