import { isChanging } from '../../../../src/contracts/runs/approval-needs';
import { isInlineCall, limitsOfCall, mayRunTwice } from '../../../../src/contracts/runs/calls';
import {
  type ExternalCall,
  isExternal,
  readExternalResult,
  toExternalArguments,
  UnreadValue,
} from '../../../../src/contracts/runs/external-calls';
import type { ToolLimits } from '../../../../src/contracts/runs/tools';

const CALL: ExternalCall = {
  toolName: 'refund',
  args: { b: 2 },
  implementation: { kind: 'external', as: 'activity', taskQueue: 'q', name: 'Refund', timeoutMs: 60_000 },
};
const LIMITS: ToolLimits = { timeoutMs: 1_000, source: 'TOOL_TIMEOUT_MS', maxAttempts: 3 };

test('changes something and runs once, unless it is read-only or repeatable', () => {
  expect([isExternal(CALL), isInlineCall(CALL), isChanging(CALL), mayRunTwice(CALL)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  const reading = { ...CALL, annotations: { readOnly: true } };
  expect([isChanging(reading), mayRunTwice(reading)]).toEqual([false, true]);
  expect(mayRunTwice({ ...CALL, implementation: { ...CALL.implementation, repeatable: true } })).toBe(true);
});

test('the limit of the registration replaces that of the settings, and a request may shorten it', () => {
  expect(limitsOfCall(CALL, LIMITS)).toEqual({ ...LIMITS, timeoutMs: 60_000, source: 'timeoutMs' });
  const asked: ToolLimits = { ...LIMITS, timeoutMs: 5_000, source: 'options.timeout' };
  expect(limitsOfCall(CALL, asked)).toBe(asked);
  const long: ToolLimits = { ...asked, timeoutMs: 90_000 };
  expect(limitsOfCall(CALL, long)).toEqual({ ...long, timeoutMs: 60_000, source: 'timeoutMs' });
});

test.each([
  [undefined, { a: 1 }, [{ a: 1 }]],
  [['a', 'b', 'c'], { a: 1, c: 3 }, [1, null, 3]],
  [['a', 'b', 'c'], { b: 2 }, [null, 2]],
  [['a', 'b'], {}, []],
])('with the order %j, %j is passed on as %j', (order, args, passed) => {
  const implementation = { ...CALL.implementation, ...(order === undefined ? {} : { order }) };
  expect(toExternalArguments({ ...CALL, args, implementation })).toEqual(passed);
});

test.each([
  [{ a: 1 }, { output: { a: 1 } }],
  [undefined, { output: null }],
  ['\ud800', { output: '\ufffd' }],
  [new Uint8Array([1]), { problem: 'The result is bytes: return JSON' }],
  [new UnreadValue('binary/encrypted'), { problem: expect.stringContaining('"binary/encrypted"') }],
  ['é'.repeat(50), { problem: 'The result is 102 bytes; the limit is 100 (MAX_RESULT_BYTES)' }],
])('a result %j is read as %j', (result, read) => {
  expect(readExternalResult(result, 100)).toEqual(read);
});
