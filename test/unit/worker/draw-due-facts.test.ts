import { drawDueFacts } from '../../../worker/draw-due-facts';
import type { BackgroundRun } from '../../../temporal/runs/background-run';

const INPUT = { choice: { provider: 'local', model: 'm' }, timeoutMs: 1_000 } as const;
const { signal } = new AbortController();

test('each user with due memories has one run, of their tenant, that does not name them', async () => {
  const started: BackgroundRun[] = [];
  const chore = drawDueFacts({
    tenants: { list: () => Promise.resolve(['default', 'acme']) },
    factsOf: (tenant) =>
      Promise.resolve({
        pseudonyms: (_purpose: string, name: string) => `${tenant}-${name.length}`,
        owners: () => Promise.resolve({ users: tenant === 'acme' ? [{ owner: 'o', userId: 'ada' }] : [] }),
      }),
    input: INPUT,
    start: (run) => Promise.resolve(void started.push(run)),
    runState: () => Promise.resolve('running'),
  });
  expect(await chore.run(signal)).toBe(0);
  expect(started).toMatchObject([
    {
      workflowId: '@acme/user/acme-3/draw-facts',
      workflowType: 'drawFacts',
      input: { ...INPUT, owner: 'o' },
    },
  ]);
  expect(JSON.stringify(started)).not.toContain('ada');
});

test('ten runs of a tenant are open at once, and every user has a turn', async () => {
  const users = Array.from({ length: 25 }, (_, n) => ({ owner: `o${n}`, userId: `u${n}` }));
  const started: string[] = [];
  const open = new Set<string>();
  const chore = drawDueFacts({
    tenants: { list: () => Promise.resolve(['default']) },
    factsOf: () =>
      Promise.resolve({
        pseudonyms: (_purpose: string, name: string) => name,
        owners: (limit, after = '0') => {
          const end = Number(after) + limit;
          const next = end < users.length ? { next: `${end}` } : {};
          return Promise.resolve({ users: users.slice(Number(after), end), ...next });
        },
      }),
    input: INPUT,
    start: ({ workflowId }) => {
      started.push(workflowId);
      open.add(workflowId);
      return Promise.resolve();
    },
    runState: (workflowId) => Promise.resolve(open.has(workflowId) ? 'running' : 'over'),
  });
  const round = async (): Promise<number> => {
    await chore.run(signal);
    return open.size;
  };
  expect(await round()).toBe(10);
  expect(await round()).toBe(10);
  expect(started).toHaveLength(10);
  // Each user has more memories than one run reads.
  for (const ended of started.slice(0, 4)) open.delete(ended);
  expect(await round()).toBe(10);
  expect(new Set(started).size).toBe(14);
  open.clear();
  await round();
  open.clear();
  expect(await round()).toBe(1);
  expect(new Set(started).size).toBe(25);
  open.clear();
  expect(await round()).toBe(10);
  expect(started.slice(-10)).toEqual(started.slice(0, 10));
});
