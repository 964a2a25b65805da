import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger } from '@temporalio/worker';
import { leaveOutLines, lineFields, lineLevel } from '../../../temporal/runtime';
import { describeConnectFailure } from '../../../temporal/engine';

describe('lineFields', () => {
  test('the run id has one name, whatever the SDK calls it', () => {
    const ofActivity = { workflowId: 'w', workflowRunId: 'r', taskToken: 'long', namespace: 'default' };
    expect(lineFields(ofActivity)).toEqual({ workflowId: 'w', runId: 'r' });
    expect(lineFields({ workflowId: 'w', runId: 'r' })).toEqual({ workflowId: 'w', runId: 'r' });
  });

  test('an error has the name under which the log writes it out, and a state is kept', () => {
    const error = new Error('why');
    expect(lineFields({ error })).toEqual({ err: error });
    const unforeseen = ApplicationFailure.create({ type: 'INTERNAL', message: 'x is not a function' });
    expect(lineFields({ error: unforeseen })).toEqual({ err: unforeseen });
    expect(lineFields({ state: 'RUNNING', sdkComponent: 'worker' })).toEqual({ state: 'RUNNING' });
  });

  test('of a failure that was foreseen the code alone is told: its message may repeat what a user wrote', () => {
    const message = 'No tool fits "call my sister Ada"';
    const error = ApplicationFailure.create({
      type: 'QUERY_NOT_UNDERSTOOD',
      message,
      details: [{ message }],
    });
    expect(lineFields({ activityType: 'complete', error })).toEqual({
      activityType: 'complete',
      code: 'QUERY_NOT_UNDERSTOOD',
    });
  });
});

test('that the workers of steps have no workflows is no warning, and what is none is for debugging', () => {
  expect(lineLevel('info', 'Worker state changed')).toBe('debug');
  expect(lineLevel('error', 'Worker failed')).toBe('error');
  expect(lineLevel('warn', 'No workflows registered, not polling for workflow tasks')).toBe('debug');
  expect(lineLevel('warn', 'Something else')).toBe('warn');
});

describe('describeConnectFailure', () => {
  const grpcError = (code: number): Error =>
    Object.assign(new Error('status'), { code, details: '', metadata: {} });

  test.each([
    [grpcError(5), 'error', 'namespace'],
    [grpcError(7), 'error', 'credentials'],
    [grpcError(16), 'error', 'credentials'],
    [new Error('Failed to call GetSystemInfo: Status { code: PermissionDenied }'), 'error', 'credentials'],
    [grpcError(14), 'warn', 'not reachable'],
    [new Error('tcp connect error'), 'warn', 'not reachable'],
  ])('%s', (error, level, part) => {
    const described = describeConnectFailure(error);
    expect([described.level, described.message]).toEqual([level, expect.stringContaining(part)]);
  });
});

test('lines of a level that is off reach no part of the SDK that handles them', () => {
  const handled: string[] = [];
  const sdk = new DefaultLogger('TRACE', ({ level, message }) => handled.push(`${level} ${message}`));
  leaveOutLines(sdk, (level) => level !== 'trace' && level !== 'debug');
  sdk.trace('a');
  sdk.debug('b');
  sdk.info('c');
  sdk.log('DEBUG', 'd');
  sdk.error('e');
  expect(handled).toEqual(['INFO c', 'ERROR e']);
});
