import { asyncLocalStorage } from '@temporalio/activity';
import { createMemoryActivities } from '../../../activities/memory';

test('the last step of an erasure takes away turns that began since, before the user may write again', async () => {
  const calls: unknown[] = [];
  const left = [
    { runs: 200, done: false },
    { runs: 1, done: true },
  ];
  const activities = createMemoryActivities({
    erasures: {
      userOf: () => Promise.resolve('ann'),
      finish: () => {
        calls.push('finish');
        return Promise.resolve({ unreached: 0 });
      },
    } as never,
    openStores: undefined as never,
    redrawFacts: undefined as never,
    eraseUserRuns: (userId) => {
      calls.push(userId);
      return Promise.resolve(left.shift() ?? { runs: 0, done: true });
    },
  });
  const context = { cancellationSignal: new AbortController().signal } as never;
  const ended = await asyncLocalStorage.run(context, () => activities.finishErasure({ erasureId: 'e' }));
  expect(ended).toEqual({ unreached: 0 });
  expect(calls).toEqual(['ann', 'ann', 'finish']);
});
