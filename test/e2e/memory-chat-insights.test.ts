import { addEpisodic, addSemantic, newUser } from '../support/memories';
import { sharedMemoryChat } from '../support/memory-chat';
import type { SharedService } from '../support/service';

let service: SharedService;

beforeAll(async () => {
  service = await sharedMemoryChat();
});
afterAll(() => service.stop());

const insightsOf = (userId: string) => service.get(`/api/memory-chat/insights/${encodeURIComponent(userId)}`);

async function says(userId: string, source: string, ...texts: string[]): Promise<void> {
  for (const content of texts) {
    await addEpisodic(service, { userId, content, metadata: { source, tags: ['conversation'] } });
  }
}

test('tell two users apart by what they keep and how they write', async () => {
  const before = Date.now();
  const [ann, bob] = [newUser(), newUser()];
  await says(
    ann,
    'user',
    'Why do violins sound so warm?',
    'How old is the oldest violin?',
    'Which orchestra plays in Berlin?',
    'Is the Berlin orchestra on tour?',
  );
  await says(ann, 'assistant', 'Teapots are cheap.', 'Teapots are round.');
  const plan =
    'The kitchen will have new tiles next spring, because the old ones are cracked, and the plumber told me that ' +
    'the pipes behind the kitchen wall have to be replaced before anything else can be done in there.';
  await says(bob, 'user', plan, plan, plan);
  await addSemantic(service, {
    userId: bob,
    concept: 'grout',
    description: 'fills gaps',
    metadata: { category: 'building', confidence: 0.9 },
  });

  const { status, body } = await insightsOf(ann);
  expect([status, body.message, body.tools]).toEqual([
    200,
    'Memory insights retrieved successfully',
    ['graphdb', 'vectordb'],
  ]);
  expect(body.data).toEqual({
    userId: ann,
    totalMemories: 6,
    topics: [
      { topic: 'Berlin', count: 2, importance: 0.5 },
      { topic: 'orchestra', count: 2, importance: 0.5 },
      { topic: 'violin', count: 2, importance: 0.5 },
    ],
    recentActivity: {
      lastConversation: expect.any(String),
      memoriesToday: expect.any(Number),
      memoriesThisWeek: 6,
    },
    preferences: {
      preferredTopics: ['Berlin', 'orchestra', 'violin'],
      conversationStyle: 'inquisitive',
      detailLevel: 'brief',
    },
  });
  const lastConversation = Date.parse(body.data.recentActivity.lastConversation);
  expect(lastConversation).toBeGreaterThanOrEqual(before);
  expect(lastConversation).toBeLessThanOrEqual(Date.now());

  const other = (await insightsOf(bob)).body.data;
  expect(other.preferences).toMatchObject({ conversationStyle: 'informative', detailLevel: 'detailed' });
  const topics = new Map(other.topics.map((each: { topic: string }) => [each.topic, each]));
  expect(topics.get('building')).toEqual({ topic: 'building', count: 1, importance: 0.9 });
  expect(topics.get('grout')).toBeDefined();
  expect([...topics.keys()].some((topic) => String(topic).includes('kitchen'))).toBe(true);
  expect([...topics.keys()].some((topic) => String(topic).includes('violin'))).toBe(false);
});

test('of a user without memories are empty', async () => {
  const userId = newUser();
  expect((await insightsOf(userId)).body.data).toEqual({
    userId,
    totalMemories: 0,
    topics: [],
    recentActivity: { lastConversation: null, memoriesToday: 0, memoriesThisWeek: 0 },
    preferences: { preferredTopics: [], conversationStyle: 'unknown', detailLevel: 'unknown' },
  });
});

test('of what cannot be a user are refused', async () => {
  const { status, body } = await insightsOf('a\u0001b');
  expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', 'userId']);
});
