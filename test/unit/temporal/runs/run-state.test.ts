import { WorkflowNotFoundError } from '@temporalio/common';
import type { Engine, EngineConnection } from '../../../../temporal/engine';
import { readRunState } from '../../../../temporal/runs/run-state';

/** An engine that has one run. */
function engineWith(describe: () => Promise<unknown>): Pick<Engine, 'current'> {
  const native = { withDeadline: (_deadline: number, call: () => unknown) => call() };
  const client = { workflow: { getHandle: () => ({ describe }) } };
  return { current: () => ({ native, client }) as unknown as EngineConnection };
}
const running = (memo?: object): Pick<Engine, 'current'> =>
  engineWith(() => Promise.resolve({ status: { name: 'RUNNING' }, memo }));

test.each([
  ['RUNNING', 'running'],
  ['PAUSED', 'running'],
  ['COMPLETED', 'over'],
  ['FAILED', 'over'],
  ['TERMINATED', 'cut off'],
  ['TIMED_OUT', 'cut off'],
])('a run that is %s is %s', async (name, state) => {
  expect(
    await readRunState(
      engineWith(() => Promise.resolve({ status: { name } })),
      'run',
    ),
  ).toBe(state);
});

test('a run that was started with another place is not the one that is asked about', async () => {
  expect(await readRunState(running({ placedAt: 7 }), 'run', 7)).toBe('running');
  expect(await readRunState(running({ placedAt: 8 }), 'run', 7)).toBe('unknown');
  // A build that did not record the place started it.
  expect(await readRunState(running({}), 'run', 7)).toBe('running');
  expect(await readRunState(running(), 'run', 7)).toBe('running');
});

test('a run that has ended is over for every place, since its id is not used again', async () => {
  const ended = (name: string) =>
    engineWith(() => Promise.resolve({ status: { name }, memo: { placedAt: 8 } }));
  expect(await readRunState(ended('COMPLETED'), 'run', 7)).toBe('over');
  expect(await readRunState(ended('TERMINATED'), 'run', 7)).toBe('cut off');
});

test('there is none where the engine knows none', async () => {
  const none = engineWith(() => Promise.reject(new WorkflowNotFoundError('no', 'run', undefined)));
  expect(await readRunState(none, 'run', 7)).toBe('unknown');
});
