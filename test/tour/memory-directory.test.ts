import { addEpisodic, addSemantic, newUser } from '../support/memories';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

/** Reads a list page by page. @param name the field of the list */
async function readPages(path: string, name: string, limit: number) {
  const pages: { readonly [key: string]: unknown }[][] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await service.get(`${path}?limit=${limit}${cursor}`);
    expect([status, body.message, body.tools]).toEqual([
      200,
      `Found ${body.data[name].length} ${name}`,
      ['graphdb'],
    ]);
    pages.push(body.data[name]);
    if (body.data.next === undefined) return pages;
    cursor = `&cursor=${body.data.next}`;
  }
}

test('the sessions of a user are listed by name, with counts and times', async () => {
  const userId = newUser();
  const events = [];
  for (const sessionId of ['monday', 'a/b ü', 'monday', 'friday'])
    events.push(await addEpisodic(service, { userId, sessionId, content: 'a walk' }));
  await addSemantic(service, { userId });
  const [first, , last] = events;
  const pages = await readPages(`/api/memory/sessions/${userId}`, 'sessions', 2);
  expect(pages).toEqual([
    [
      { sessionId: 'a/b ü', memories: 1, first: events[1].timestamp, last: events[1].timestamp },
      { sessionId: 'friday', memories: 1, first: events[3].timestamp, last: events[3].timestamp },
    ],
    [{ sessionId: 'monday', memories: 2, first: first.timestamp, last: last.timestamp }],
  ]);
  expect((await service.get(`/api/memory/sessions/${newUser()}`)).body.data).toEqual({ sessions: [] });
});

test('users are listed by name, each once, with counts of both kinds', async () => {
  const base = newUser();
  const [events, both, concepts] = ['a', 'b', 'c'].map((end) => `${base}-${end}`);
  await addSemantic(service, { userId: concepts });
  const event = await addEpisodic(service, { userId: events, content: 'a walk' });
  await addSemantic(service, { userId: both });
  await addEpisodic(service, { userId: both, content: 'a walk' });
  const users = (await readPages('/api/memory/users', 'users', 20)).flat();
  const names = users.map(({ userId }) => userId);
  expect(names).toEqual([...new Set(names)].sort());
  const own = users.filter(({ userId }) => String(userId).startsWith(base));
  expect(own).toMatchObject([
    { userId: events, episodic: 1, semantic: 0, first: event.timestamp, last: event.timestamp },
    { userId: both, episodic: 1, semantic: 1 },
    { userId: concepts, episodic: 0, semantic: 1 },
  ]);
});

test.each([
  ['/api/memory/users', 'limit=0', 'limit'],
  ['/api/memory/users', 'cursor=nonsense', 'cursor'],
  ['/api/memory/sessions/ann', 'limit=101', 'limit'],
  ['/api/memory/sessions/ann', 'cursor=W10', 'cursor'],
])('%s?%s is refused', async (path, query, field) => {
  const { status, body } = await service.get(`${path}?${query}`);
  expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', field]);
});
