import { isChanging } from '../../../../src/contracts/runs/approval-needs';
import { isInlineCall, limitsOfCall, queueOfCall, mayRunTwice } from '../../../../src/contracts/runs/calls';
import type { ToolCall, ToolLimits } from '../../../../src/contracts/runs/tools';

const CALL: ToolCall = {
  toolName: 'shop.buy',
  args: {},
  implementation: { kind: 'mcp', server: 'shop', tool: 'buy', digest: 'd', timeoutMs: 500 },
};
const READING: ToolCall = { ...CALL, annotations: { readOnly: true } };
const LIMITS: ToolLimits = { timeoutMs: 1_000, source: 'options.timeout', maxAttempts: 3 };

test('a remote call changes something and runs once, unless its tool is read-only', () => {
  expect([isChanging(CALL), mayRunTwice(CALL)]).toEqual([true, false]);
  expect([isChanging(READING), mayRunTwice(READING)]).toEqual([false, true]);
});

test('a remote call is never inline, and runs in the queue of calls that wait for others', () => {
  expect([isInlineCall(READING), queueOfCall(READING)]).toEqual([false, 'io']);
});

test('the limit of a server applies where it is lower than that of the run', () => {
  expect(limitsOfCall(CALL, LIMITS)).toEqual({ ...LIMITS, timeoutMs: 500, source: 'toolTimeoutMs' });
  expect(limitsOfCall(CALL, { ...LIMITS, timeoutMs: 100 })).toEqual({ ...LIMITS, timeoutMs: 100 });
  expect(limitsOfCall({ ...CALL, implementation: { kind: 'none' } }, LIMITS)).toBe(LIMITS);
});
