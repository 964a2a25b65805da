import { countTokens } from '../../src/llm/token-count';
import { addEpisodic, addSemantic, idsOf, newUser } from '../support/memories';
import { chat, sharedMemoryChat } from '../support/memory-chat';
import type { SharedService } from '../support/service';

let service: SharedService;

beforeAll(async () => {
  service = await sharedMemoryChat();
});
afterAll(() => service.stop());

const enhance = (fields: object) =>
  service.post('/api/memory-chat/enhance-context', { sessionId: 'session-9', query: 'violin', ...fields });

test('tells what memory has on a query, as a text and with scores', async () => {
  const userId = newUser();
  const event = await addEpisodic(service, { userId, content: 'Ada played the violin in Berlin' });
  const concept = await addSemantic(service, { userId, concept: 'violin', description: 'an instrument' });
  await addEpisodic(service, { userId, content: 'a walk by the lake' });
  await addEpisodic(service, { userId: newUser(), content: 'the violin of somebody else' });

  const { status, body } = await enhance({ userId });
  expect([status, body.message, body.tools]).toEqual([
    200,
    'Context enhanced successfully',
    ['graphdb', 'vectordb', 'embedder'],
  ]);
  const { enhancedContext, relevantMemories, degraded } = body.data;
  expect(degraded).toEqual([]);
  expect(relevantMemories).toEqual({
    episodic: [
      {
        id: event.id,
        content: 'Ada played the violin in Berlin',
        timestamp: event.timestamp,
        relevanceScore: expect.any(Number),
      },
    ],
    semantic: [
      {
        id: concept.id,
        concept: 'violin',
        description: 'an instrument',
        similarityScore: expect.any(Number),
      },
    ],
  });
  expect(enhancedContext).toContain('Ada played the violin in Berlin');
  expect(enhancedContext).toContain('violin: an instrument');
  expect(enhancedContext).not.toMatch(/lake|somebody/);
});

test('says each thing once', async () => {
  const userId = newUser();
  const contents = [
    'Ada plays the violin in the town square',
    'Ada plays the violin in the town square!',
    'ada played the violin in the town squares',
    'Bob sold his violin to a museum',
  ];
  for (const content of contents) await addEpisodic(service, { userId, content });
  const { enhancedContext, relevantMemories } = (await enhance({ userId })).body.data;
  expect(enhancedContext.match(/town square/g)).toHaveLength(1);
  expect(enhancedContext).toContain('museum');
  expect(relevantMemories.episodic).toHaveLength(2);
});

test('keeps to its budget and to the number of memories', async () => {
  const userId = newUser();
  const word = (n: number, at: number): string => `word${n}x${at}`;
  for (let n = 0; n < 15; n += 1) {
    const rest = Array.from({ length: 25 }, (_, at) => word(n, at)).join(' ');
    await addEpisodic(service, { userId, content: `violin ${n}: ${rest}` });
  }
  const whole = (await enhance({ userId, maxMemories: 15 })).body.data;
  expect(whole.relevantMemories.episodic).toHaveLength(15);
  expect(countTokens(whole.enhancedContext)).toBeLessThanOrEqual(2_000 * 1.05);

  const few = (await enhance({ userId, maxMemories: 3 })).body.data;
  expect(few.relevantMemories.episodic).toHaveLength(3);
  for (const maxTokens of [50, 300, 600]) {
    const { enhancedContext, relevantMemories } = (await enhance({ userId, maxMemories: 15, maxTokens })).body
      .data;
    expect(countTokens(enhancedContext)).toBeLessThanOrEqual(maxTokens * 1.05);
    expect(relevantMemories.episodic.length).toBeLessThan(15);
    for (const { content } of relevantMemories.episodic) expect(enhancedContext).toContain(content);
  }
  expect((await enhance({ userId })).body.data.relevantMemories.episodic).toHaveLength(10);
});

test('has the latest messages of the session, whatever they say', async () => {
  const userId = newUser();
  const stored = (await chat(service, { userId, message: 'I keep bees' })).body.data.storedMemory;
  const here = (await enhance({ userId, sessionId: 'session-1' })).body.data;
  expect(here.enhancedContext).toContain('I keep bees');
  expect(idsOf(here.relevantMemories.episodic)).not.toContain(stored.id);
  expect((await enhance({ userId })).body.data).toEqual({
    enhancedContext: '',
    relevantMemories: { episodic: [], semantic: [] },
    degraded: [],
  });
});

test('answers that only repeat what the user said are not recalled', async () => {
  const userId = newUser();
  const stated = (await chat(service, { userId, message: 'I live in Lisbon' })).body.data;
  const answered = (await chat(service, { userId, message: 'Where do I live?' })).body.data;
  expect([stated.message, answered.message]).toEqual([
    'Noted: “I live in Lisbon”.',
    expect.stringMatching(/^You told me on .*: Lisbon\.$/),
  ]);
  const old = { source: 'assistant', tags: ['conversation'] };
  await addEpisodic(service, { userId, content: 'You told me: you live in Lisbon.', metadata: old });
  const { relevantMemories } = (await enhance({ userId, query: 'Lisbon, where I live' })).body.data;
  const contents = relevantMemories.episodic.map(({ content }: { content: string }) => content);
  expect(contents.sort()).toEqual(['I live in Lisbon', 'Where do I live?']);
});

test.each<[string, object]>([
  ['userId', { userId: undefined }],
  ['sessionId', { sessionId: 5 }],
  ['query', { query: '' }],
  ['maxMemories', { maxMemories: 0 }],
  ['maxMemories', { maxMemories: 51 }],
  ['maxTokens', { maxTokens: 10 }],
])('a wrong %s is refused: %j', async (field, wrong) => {
  const { status, body } = await enhance({ userId: 'ann', ...wrong });
  expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', field]);
});
