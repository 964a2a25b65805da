import { drawDueFacts } from '../../../worker/draw-due-facts';
import type { BackgroundRun } from '../../../temporal/background-run';

const INPUT = { choice: { provider: 'local', model: 'm' }, timeoutMs: 1_000 } as const;
const { signal } = new AbortController();

test('each user with due memories has one run, of their tenant, that does not name them', async () => {
  const started: BackgroundRun[] = [];
  const chore = drawDueFacts({
    tenants: { list: () => Promise.resolve(['default', 'acme']) },
    factsOf: (tenant) =>
      Promise.resolve({
        pseudonyms: (_purpose: string, name: string) => `${tenant}-${name.length}`,
        owners: () => Promise.resolve(tenant === 'acme' ? [{ owner: 'o', userId: 'ada' }] : []),
      }),
    input: INPUT,
    start: (run) => Promise.resolve(void started.push(run)),
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
