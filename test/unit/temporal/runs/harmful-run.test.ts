import { ServiceError } from '@temporalio/client';
import type { EngineConnection } from '../../../../temporal/engine';
import { readOpenTask } from '../../../../temporal/runs/harmful-run';

type Kind = 'scheduled' | 'started' | 'completed' | 'timedOut' | 'activity' | 'signaled';

const RUN = { workflowId: 'a workflow', runId: 'a run' };
const SECOND = 1_800_000_000;

/** A server with a history, whose event n happened n seconds after `SECOND`, in pages of three events. */
function serverWith(kinds: readonly Kind[]): EngineConnection {
  const events = kinds.map((kind, index) => ({
    eventId: index + 1,
    eventTime: { seconds: SECOND + index + 1, nanos: 0 },
    workflowTaskCompletedEventAttributes: kind === 'completed' ? {} : null,
    workflowTaskScheduledEventAttributes: kind === 'scheduled' ? {} : null,
  }));
  const newestFirst = events.reverse();
  const getWorkflowExecutionHistoryReverse = ({ nextPageToken }: { nextPageToken: Uint8Array }) => {
    const from = nextPageToken[0] ?? 0;
    const next = from + 3 < newestFirst.length ? Uint8Array.of(from + 3) : new Uint8Array();
    return Promise.resolve({
      history: { events: newestFirst.slice(from, from + 3) },
      nextPageToken: next,
    });
  };
  return connectionOf(getWorkflowExecutionHistoryReverse);
}

function connectionOf(getWorkflowExecutionHistoryReverse: unknown): EngineConnection {
  return {
    namespace: 'default',
    client: { workflowService: { getWorkflowExecutionHistoryReverse } },
    native: { withDeadline: (_deadline: number, call: () => unknown) => call() },
  } as unknown as EngineConnection;
}

const OPEN: readonly Kind[] = ['scheduled', 'started', 'completed', 'activity', 'scheduled', 'started'];

test.each<[string, readonly Kind[], string]>([
  ['the first task', ['activity', 'scheduled', 'started', 'timedOut', 'scheduled', 'started'], 'the first'],
  ['a task after a completed one', OPEN, 'after 3'],
  ['its later attempts', [...OPEN, 'timedOut', 'scheduled', 'started'], 'after 3'],
  ['a task that took signals in', [...OPEN, 'signaled', 'signaled'], 'after 3'],
  [
    'a task that was completed only for more time',
    [...OPEN, 'completed', 'scheduled', 'started', 'completed', 'scheduled', 'started'],
    'after 3',
  ],
])('%s has a name that its attempts share', async (_, kinds, name) => {
  expect(await readOpenTask(serverWith(kinds), RUN)).toBe(name);
});

test('a task that was completed after the worker died is not to blame', async () => {
  const died = (second: number): number => (SECOND + second) * 1_000;
  // The task is completed in second 3.
  expect(await readOpenTask(serverWith(OPEN), RUN, died(0.5))).toBeUndefined();
  // The clocks of server and worker may differ that much.
  expect(await readOpenTask(serverWith(OPEN), RUN, died(1))).toBe('after 3');
});

test('a run that the server does not know any more has no task', async () => {
  const unknown = Object.assign(new ServiceError('not found'), {
    cause: Object.assign(new Error('5 NOT_FOUND'), { code: 5, details: 'not found', metadata: {} }),
  });
  const connection = connectionOf(() => Promise.reject(unknown));
  expect(await readOpenTask(connection, RUN)).toBeUndefined();
});
