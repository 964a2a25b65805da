import { resumeErasures } from '../../../worker/resume-erasures';

const { signal } = new AbortController();
const LOST = { erasureId: 'e1', workflowId: 'erase-user-memories/e1', since: 0 };

test('an erasure without a run is resumed once, and its log line is written once', async () => {
  const lines: string[] = [];
  const started: string[] = [];
  const chore = resumeErasures({
    tenants: {
      list: () => Promise.resolve(['acme']),
      of: () =>
        Promise.resolve({
          memory: { erasures: { list: () => Promise.resolve([LOST]), userOf: () => Promise.resolve('bob') } },
        }),
    },
    runState: () => Promise.resolve('cut off'),
    // The server refuses the second start, because the run of the first is open.
    startAgain: ({ tenant, erasureId }) => Promise.resolve(started.push(`${tenant}/${erasureId}`) === 1),
    now: () => 60_000,
    logger: { warn: (_fields: unknown, message?: string) => void lines.push(message ?? '') },
  });
  await chore.run(signal);
  await chore.run(signal);
  expect(started).toEqual(['acme/e1', 'acme/e1']);
  expect(lines).toEqual(['an erasure had lost its run and was resumed in another one']);
});
