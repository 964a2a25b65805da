import {
  addEpisodic,
  addSemantic,
  findMemories,
  idsOf,
  newUser,
  searchEpisodic,
  searchMemory,
  searchSemantic,
} from '../support/memories';
import { sharedMemoryChat } from '../support/memory-chat';
import type { SharedService } from '../support/service';

const SESSION = 'session-1';
const BEFORE_ALL = '2001-02-03T04:05:06.000Z';
const WRONG = ['yesterday', '2026-13-01T00:00:00Z', '2026-01-01', 7, ''];

let service: SharedService;
let userId: string;
let leeds: { id: string; timestamp: string };
let york: { id: string; timestamp: string };
let spoke: { id: string; timestamp: string };

beforeAll(async () => {
  service = await sharedMemoryChat();
  userId = newUser();
  leeds = await addEpisodic(service, { userId, content: 'I live in Leeds. I like the parks of Leeds.' });
  york = await addEpisodic(service, { userId, content: 'I live in York.' });
  await addEpisodic(service, { userId, content: 'I live in Hull now.' });
  spoke = await addEpisodic(service, { userId, content: 'The people here live by the sea.' });
});
afterAll(() => service.stop());

const found = async (more: object): Promise<string[]> =>
  idsOf((await findMemories(service, userId, 'Where do I live', more)).body.data.episodic).sort();

test('a search as of a time finds what existed, and what had not been superseded by then', async () => {
  expect(await found({ asOf: BEFORE_ALL })).toEqual([]);
  expect(await found({ asOf: leeds.timestamp })).toEqual([leeds.id]);
  expect(await found({ asOf: york.timestamp })).toEqual([leeds.id, york.id]);
  expect(await found({})).not.toContain(york.id);
  const all = await searchMemory(service, { userId, type: 'episodic', asOf: york.timestamp });
  expect(idsOf(all.body.data.episodic)).toEqual([york.id, leeds.id]);
});

test('a list that leaves memories out is as long as asked for', async () => {
  const list = await searchMemory(service, { userId, type: 'episodic', limit: 3 });
  expect(idsOf(list.body.data.episodic)).toEqual([spoke.id, expect.any(String), leeds.id]);
});

test('with its history, a search has what was superseded before the time', async () => {
  const other = newUser();
  const bath = await addEpisodic(service, { userId: other, content: 'I live in Bath.' });
  const ely = await addEpisodic(service, { userId: other, content: 'I live in Ely now.' });
  await addEpisodic(service, { userId: other, content: 'I live in Deal now.' });
  const at = { userId: other, asOf: ely.timestamp };
  for (const search of [searchMemory, searchEpisodic]) {
    const idsIn = async (more: object): Promise<string[]> => {
      const { data } = (await search(service, { ...at, ...more })).body;
      return idsOf(Array.isArray(data) ? data : data.episodic);
    };
    expect(await idsIn({})).toEqual([ely.id]);
    expect(await idsIn({ history: true })).toEqual([ely.id, bath.id]);
  }
});

test('events by conditions are all there unless a time is named', async () => {
  const events = async (more = {}): Promise<string[]> =>
    idsOf((await searchEpisodic(service, { userId, ...more })).body.data);
  expect(await events()).toHaveLength(4);
  expect(await events({ asOf: new Date().toISOString() })).not.toContain(york.id);
  const timeRange = { end: leeds.timestamp };
  expect(await events({ asOf: york.timestamp, timeRange })).toEqual([leeds.id]);
});

test('concepts as of a time are those that existed', async () => {
  const other = newUser();
  const { id } = await addSemantic(service, { userId: other, concept: 'oak', description: 'a tree' });
  const query = { userId: other, query: 'oak', threshold: 0 };
  const ids = async (asOf: string): Promise<string[][]> => [
    idsOf((await searchSemantic(service, { ...query, asOf })).body.data),
    idsOf((await searchMemory(service, { ...query, asOf })).body.data.semantic),
  ];
  expect(await ids(BEFORE_ALL)).toEqual([[], []]);
  expect(await ids(new Date().toISOString())).toEqual([[id], [id]]);
});

test('a context as of a time quotes what stood then', async () => {
  const context = async (query: string) =>
    (await service.get(`/api/memory/context/${userId}/${SESSION}?${query}`)).body.data;
  const then = await context(`asOf=${york.timestamp}`);
  expect(idsOf(then.episodic)).toEqual([york.id, leeds.id]);
  expect(then.episodic[1].content).not.toContain('live in Leeds');
  const homesOf = ({ facts }: { facts: { attribute: string }[] }) =>
    facts.filter(({ attribute }) => attribute === 'home');
  expect(homesOf(then)).toMatchObject([{ value: 'York' }]);
  const whole = await context(`asOf=${york.timestamp}&history=true`);
  expect(whole.episodic[1].content).toContain('live in Leeds');
  expect(homesOf(whole)).toHaveLength(2);
  expect((await context(`asOf=${BEFORE_ALL}`)).episodic).toEqual([]);
});

test('the context for a model of the caller has what stands, and what stood', async () => {
  const text = async (more: object): Promise<string> => {
    const asked = { userId, sessionId: SESSION, query: 'Where do I live?', ...more };
    return (await service.post('/api/memory-chat/enhance-context', asked)).body.data.enhancedContext;
  };
  const now = await text({});
  expect(now).toContain('Hull');
  expect(now).not.toContain('York');
  const then = await text({ asOf: york.timestamp });
  expect(then).toContain('York');
  expect(then).not.toContain('Hull');
  expect(await text({ history: true })).toContain('York');
  const whole = { asOf: york.timestamp, history: true };
  expect(await text(whole)).toContain('I live in Leeds');
});

test('a time that is none is refused, and named', async () => {
  const paths = ['/api/memory/search', '/api/memory/episodic/search', '/api/memory/semantic/search'];
  const chat = ['/api/memory-chat/search', '/api/memory-chat/enhance-context'];
  for (const path of [...paths, ...chat])
    for (const asOf of WRONG) {
      const body = { userId, sessionId: SESSION, query: 'home', asOf };
      const { status, text } = await service.post(path, body);
      expect([path, asOf, status, text.includes('asOf')]).toEqual([path, asOf, 400, true]);
    }
  const { status } = await service.get(`/api/memory/context/${userId}/${SESSION}?asOf=yesterday`);
  expect(status).toBe(400);
});
