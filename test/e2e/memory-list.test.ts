import { know, LEXICAL, remember } from '../support/memories';
import { spawnPart } from '../support/process';
import { isolatedSettings, type Service, startService } from '../support/service';

let service: Service;

beforeAll(async () => {
  service = await startService(LEXICAL);
});
afterAll(() => service.stop());

const list = (userId: string, query = '') => service.get(`/api/memory/list/${userId}${query}`);
const contents = (memories: { content: string }[]): string[] => memories.map(({ content }) => content);

test('pages show every memory once, while others are added and deleted', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 7; n += 1) ids.push((await remember(service, 'ada', `note ${n}`)).body.data.id);
  await know(service, 'ada', 'tea', 'is hot');

  const first = await list('ada', '?limit=3&order=oldest-first');
  expect([first.status, first.body.message, first.body.tools]).toEqual([
    200,
    'Found 3 memories',
    ['graphdb'],
  ]);
  expect(contents(first.body.data.memories)).toEqual(['note 0', 'note 1', 'note 2']);
  await service.send('DELETE', `/api/memory/episodic/${ids[2]}`);
  await service.send('DELETE', `/api/memory/episodic/${ids[4]}`);
  await remember(service, 'ada', 'note 7');

  const second = await list('ada', `?limit=3&order=oldest-first&cursor=${first.body.data.next}`);
  expect(contents(second.body.data.memories)).toEqual(['note 3', 'note 5', 'note 6']);
  const third = await list('ada', `?limit=3&order=oldest-first&cursor=${second.body.data.next}`);
  expect(contents(third.body.data.memories)).toEqual(['note 7']);
  expect(third.body.data).not.toHaveProperty('next');

  const newest = await list('ada', '?limit=1');
  expect(contents(newest.body.data.memories)).toEqual(['note 7']);
  const semantic = await list('ada', '?type=semantic');
  expect(semantic.body.tools).toEqual(['vectordb']);
  expect(semantic.body.data.memories).toMatchObject([{ concept: 'tea', metadata: { accessCount: 0 } }]);
  expect((await list('nobody')).body.data).toEqual({ memories: [] });
});

test.each([
  ['limit', '?limit=0'],
  ['limit', '?limit=101'],
  ['cursor', '?cursor=nonsense'],
  ['type', '?type=both'],
  ['order', '?order=random'],
])('a bad %s is refused', async (field, query) => {
  const { status, body } = await list('ada', query);
  expect([status, body.error, body.details?.field]).toEqual([400, 'Validation error', field]);
});

test('npm run reindex moves memories and ends, also where the address of figures is in use', async () => {
  const settings = {
    ...isolatedSettings(service.dataDir),
    ...LEXICAL,
    TASK_QUEUE: service.taskQueue,
    METRICS_ADDRESS: new URL(service.url).host,
  };
  const reindex = spawnPart('reindex', settings);
  const reported = await reindex.line('memories are moved');
  expect(reported).toMatchObject({ model: 'lexical:lexical-1', moved: 0 });
  expect(await reindex.exited).toBe(0);
});

test('npm run reindex -- --again moves them although the model is the same, and refuses other words', async () => {
  const settings = { ...isolatedSettings(service.dataDir), ...LEXICAL, TASK_QUEUE: service.taskQueue };
  await remember(service, 'ravi', 'a note');
  const reindex = spawnPart('reindex', settings, { args: ['--again'] });
  const { moved } = await reindex.line('memories are moved');
  expect(moved).toBeGreaterThan(0);
  expect(await reindex.exited).toBe(0);

  const refused = spawnPart('reindex', settings, { args: ['--agian'] });
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toMatch(/^reindex: .*--agian/);
});
