import type { ApplicationFailure } from '@temporalio/common';
import { withPosition } from '../../../workflows/execute-tools-in-sequence';
import { RunTooLargeError } from '../../../workflows/steps/result-allowance';

test('a sequence that becomes too large says at which call, and what was done before it', () => {
  const done = [{ toolName: 'first', success: true as const, data: { result: 1 } }];
  const call = { toolName: 'second', args: {}, kind: 'builtin' } as unknown as Parameters<
    typeof withPosition
  >[1];
  const failure = withPosition(new RunTooLargeError('too much'), call, 1, done) as ApplicationFailure;
  expect(failure).toMatchObject({ type: 'PAYLOAD_TOO_LARGE', message: 'too much', nonRetryable: true });
  expect(failure.details).toEqual([{ toolName: 'second', stepNumber: 2, completed: done }]);
});
