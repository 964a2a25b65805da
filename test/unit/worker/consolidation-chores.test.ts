import { consolidationChores } from '../../../worker/consolidation-chores';

const { signal } = new AbortController();
const DAY_MS = 86_400_000;

function choresOf(often: 'off' | 'daily' | 'weekly') {
  const started: string[] = [];
  const chores = consolidationChores({
    config: { MEMORY_CONSOLIDATION: often },
    tenants: { list: () => Promise.resolve(['default', 'acme']) },
    start: ({ workflowType, workflowId }) => Promise.resolve(void started.push(workflowId, workflowType)),
  });
  return { chores, started };
}

test('memories are consolidated only where the setting says so', () => {
  expect(choresOf('off').chores).toEqual([]);
  expect(choresOf('daily').chores).toMatchObject([{ dueMs: DAY_MS }]);
  expect(choresOf('weekly').chores).toMatchObject([{ dueMs: 7 * DAY_MS }]);
});

test('a round starts the run of every tenant', async () => {
  const { chores, started } = choresOf('daily');
  expect(await chores[0]?.run(signal)).toBe(0);
  expect(started).toEqual([
    'consolidate-all-users',
    'consolidateAllUsers',
    '@acme/consolidate-all-users',
    'consolidateAllUsers',
  ]);
});
