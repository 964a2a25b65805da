import { addEpisodic, idsOf, newUser } from '../support/memories';
import { sharedMemoryChat } from '../support/memory-chat';
import type { SharedService } from '../support/service';

let service: SharedService;

beforeAll(async () => {
  service = await sharedMemoryChat();
});
afterAll(() => service.stop());

const historyOf = (userId: string, sessionId: string, query = '') =>
  service.get(`/api/memory-chat/history/${userId}/${encodeURIComponent(sessionId)}${query}`);

const say = (userId: string, content: string, more: { sessionId?: string; metadata?: object } = {}) =>
  addEpisodic(service, { userId, content, ...more, metadata: { tags: ['conversation'], ...more.metadata } });

const contents = (messages: { content: string }[]): string[] => messages.map(({ content }) => content);

test('tells the messages of a session, the first one first, and nothing else', async () => {
  const userId = newUser();
  const first = await say(userId, 'hello', { metadata: { importance: 0.9 } });
  await say(userId, 'good morning', { metadata: { source: 'assistant' } });
  await say(userId, 'elsewhere', { sessionId: 'session/2 ü' });
  await addEpisodic(service, { userId, content: 'no message' });
  await say(newUser(), 'of somebody else');

  const { status, body } = await historyOf(userId, 'session-1');
  expect([status, body.message, body.tools]).toEqual([
    200,
    'Chat history retrieved successfully',
    ['graphdb'],
  ]);
  expect(body.data).toEqual({
    userId,
    sessionId: 'session-1',
    messages: [
      { id: first.id, content: 'hello', timestamp: first.timestamp, type: 'user', importance: 0.9 },
      {
        id: expect.any(String),
        content: 'good morning',
        timestamp: expect.any(String),
        type: 'assistant',
        importance: 0.5,
      },
    ],
    totalCount: 2,
    hasMore: false,
  });
  expect(contents((await historyOf(userId, 'session/2 ü')).body.data.messages)).toEqual(['elsewhere']);
  expect((await historyOf(userId, 'none')).body.data).toMatchObject({
    messages: [],
    totalCount: 0,
    hasMore: false,
  });
});

test('pages by limit and offset', async () => {
  const userId = newUser();
  for (let n = 0; n < 5; n += 1) await say(userId, `message ${n}`);
  const page = async (query: string) => {
    const { messages, totalCount, hasMore } = (await historyOf(userId, 'session-1', query)).body.data;
    return [
      contents(messages)
        .map((content) => content.slice(-1))
        .join(''),
      totalCount,
      hasMore,
    ];
  };
  expect(await page('')).toEqual(['01234', 5, false]);
  expect(await page('?limit=2')).toEqual(['01', 5, true]);
  expect(await page('?limit=2&offset=2')).toEqual(['23', 5, true]);
  expect(await page('?limit=2&offset=3')).toEqual(['34', 5, false]);
  expect(await page('?offset=4')).toEqual(['4', 5, false]);
  expect(await page('?offset=5')).toEqual(['', 5, false]);
  expect(await page('?offset=9007199254740991')).toEqual(['', 5, false]);
});

test('shows 50 messages unless asked otherwise', async () => {
  const userId = newUser();
  await Promise.all(Array.from({ length: 51 }, (_, n) => say(userId, `message ${n}`)));
  const { messages, totalCount, hasMore } = (await historyOf(userId, 'session-1')).body.data;
  expect([messages.length, totalCount, hasMore]).toEqual([50, 51, true]);
});

test('pages that are read while 100 messages are written have each message once', async () => {
  const userId = newUser();
  const written: string[] = [];
  let isWriting = true;
  const writer = (async () => {
    for (let n = 0; n < 100; n += 1) written.push((await say(userId, `message ${n}`)).id);
    isWriting = false;
  })();
  const read: string[] = [];
  let pagesMeanwhile = 0;
  for (;;) {
    const wasWriting = isWriting;
    const { body } = await historyOf(userId, 'session-1', `?limit=7&offset=${read.length}`);
    const { messages, totalCount, hasMore } = body.data;
    read.push(...idsOf(messages));
    expect(totalCount).toBeGreaterThanOrEqual(read.length);
    expect(hasMore).toBe(totalCount > read.length);
    if (wasWriting) pagesMeanwhile += 1;
    else if (!hasMore) break;
  }
  await writer;
  expect(read).toEqual(written);
  expect(pagesMeanwhile).toBeGreaterThan(5);
});

test.each([
  ['limit', '?limit=0'],
  ['limit', '?limit=101'],
  ['limit', '?limit=1.5'],
  ['limit', '?limit=ten'],
  ['offset', '?offset=-1'],
  ['offset', '?offset=x'],
])('a bad %s is refused: %s', async (field, query) => {
  const { status, body } = await historyOf('ann', 's', query);
  expect([status, body.error, body.details?.field]).toEqual([400, 'Validation error', field]);
});
