import type { EndedRun } from '../../src/usage/usage-counts';
import { createUsageStore, forgetUsage, type UsageStore } from '../../src/usage/usage-store';
import type { DocumentStoreHarness } from './support/harness';

const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const NEVER = new AbortController().signal;
const DAYS = { since: '2026-11-27', until: '2026-11-28' };

const run = (runId: string, changes: Partial<EndedRun> = {}): EndedRun => ({
  runId,
  closedAt: NOW,
  isFailed: false,
  user: undefined,
  agent: undefined,
  models: [],
  ...changes,
});
const tokens = (model: string, totalTokens: number): EndedRun['models'][number] => ({
  model,
  promptTokens: totalTokens - 1,
  completionTokens: 1,
  totalTokens,
  costUsd: 0.25,
  unpricedCalls: 0,
});

async function usersOf(usage: UsageStore, days = DAYS): Promise<string[]> {
  const users: string[] = [];
  for await (const page of usage.users(days))
    users.push(...page.map(([user, { total }]) => `${user} ${total.runs}`));
  return users;
}

/** The suite that the usage store passes on every store of documents. */
export function describeUsage(name: string, open: () => Promise<DocumentStoreHarness>): void {
  describe(`the usage of runs in ${name}`, () => {
    let harness: DocumentStoreHarness;
    const connect = (): UsageStore => createUsageStore(harness.connect(), () => NOW);
    beforeEach(async () => (harness = await open()));
    afterEach(() => harness.dispose());

    test('counts each run once, by day, model, agent and user', async () => {
      const usage = connect();
      const runs = [
        run('1', { user: 'ann', agent: 'holdfast', models: [tokens('a/b', 10), tokens('__proto__', 5)] }),
        run('2', { user: 'ann', isFailed: true, closedAt: NOW - 86_400_000 }),
        run('3', { models: [tokens('a/b', 100)] }),
      ];
      await usage.count(runs);
      await usage.count([...runs].reverse());
      const [before, today] = await usage.days(DAYS);
      expect(before).toMatchObject([
        '2026-11-27',
        { total: { runs: 1, failedRuns: 1, totalTokens: 0 }, models: [] },
      ]);
      expect(today?.[1].total).toEqual({
        runs: 2,
        failedRuns: 0,
        promptTokens: 112,
        completionTokens: 3,
        totalTokens: 115,
        costUsd: 0.75,
        unpricedCalls: 0,
      });
      expect(today?.[1].models.map(([model, { runs: of, totalTokens }]) => [model, of, totalTokens])).toEqual(
        [
          ['a/b', 2, 110],
          ['__proto__', 1, 5],
        ],
      );
      expect(today?.[1].agents).toMatchObject([['holdfast', { runs: 1, totalTokens: 15 }]]);
      expect((await usage.days(DAYS, 'ann')).map(([day, { total }]) => [day, total.runs])).toEqual([
        ['2026-11-27', 1],
        ['2026-11-28', 1],
      ]);
      expect(await usage.uncounted(['1', '4'])).toEqual(new Set(['4']));
    });

    test('several processes that count the same runs at once count each once', async () => {
      const runs = Array.from({ length: 250 }, (_, n) =>
        run(String(n), { user: `user-${n % 3}`, models: [tokens('m', 2)] }),
      );
      const stores = [connect(), connect(), connect()];
      await Promise.all(stores.map((usage, n) => usage.count(n === 1 ? [...runs].reverse() : runs)));
      const [today] = await connect().days(DAYS);
      expect(today?.[1].total).toMatchObject({ runs: 250, totalTokens: 500 });
      expect(await usersOf(connect())).toEqual(['user-0 84', 'user-1 83', 'user-2 83']);
    });

    test('an erasure removes the sums of the user alone', async () => {
      const usage = connect();
      await usage.count([run('1', { user: 'ann' }), run('2', { user: 'ann-2' })]);
      await forgetUsage(harness.connect(), 'ann', NOW, NEVER);
      expect(await usersOf(usage)).toEqual(['ann-2 1']);
      expect(await usage.days(DAYS, 'ann')).toEqual([]);
      expect((await usage.days(DAYS))[0]?.[1].total.runs).toBe(2);
      // A run that had ended before, and that another process counts only now, brings them not back; a later one does.
      await usage.count([run('3', { user: 'ann' })]);
      expect(await usersOf(usage)).toEqual(['ann-2 1']);
      await usage.count([run('4', { user: 'ann', closedAt: NOW + 1 })]);
      expect(await usersOf(usage)).toEqual(['ann 1', 'ann-2 1']);
    });

    test('remembers until when it has counted, and lists the users of the days that are asked for', async () => {
      const usage = connect();
      expect(await usage.countedUntil()).toBeUndefined();
      await usage.setCountedUntil(NOW);
      expect(await connect().countedUntil()).toBe(NOW);
      const day = (n: number): number => NOW - n * 86_400_000;
      await usage.count([0, 1, 2].map((n) => run(String(n), { user: `u${n}`, closedAt: day(n) })));
      expect(await usersOf(usage, { since: '2026-11-27', until: '2026-11-27' })).toEqual(['u1 1']);
    });
  });
}
