import fc from 'fast-check';
import { anyCharacter } from '../../../support/any-character';
import type { MemoryInsights } from '../../../../src/contracts/http/memory-chat';
import { newId } from '../../../../src/base/ids';
import { toEpisodicNode } from '../../../../src/memory/nodes/episodic-node';
import {
  MAX_READ,
  createInsightsReader,
  classifyStyle,
} from '../../../../src/memory/insights/memory-insights';
import { TopicCounter } from '../../../../src/memory/insights/topic-counter';
import { toSemanticNode } from '../../../../src/memory/nodes/semantic-node';
import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { MemoryStatements } from '../../../../src/stores/sqlite/memory/memory-statements';
import { MEMORY_MIGRATIONS, prepareConnection } from '../../../../src/stores/sqlite/memory/schema';
import { SqliteFile } from '../../../../src/stores/sqlite/sqlite-file';
import { temporaryFolder } from '../../../contract/support/temporary-folder';
import { withHangLimit } from '../../../support/hang-limit';
import { countLoopIterations } from '../../../support/loop-iterations';

const folder = temporaryFolder();
const NOON = Date.parse('2026-03-10T12:00:00Z');
const HOUR = 3_600_000;
let graph: MemoryGraph;

beforeAll(() => {
  graph = createSqliteMemoryGraph({ path: folder.file('memory.db') });
});
afterAll(async () => {
  await graph.close();
  folder.remove();
});

interface Event {
  readonly content: string;
  readonly timestamp?: number;
  readonly importance?: number;
  readonly tags?: string[];
  readonly source?: string;
}

function toNode(userId: string, { content, timestamp = NOON, ...metadata }: Event) {
  return toEpisodicNode({ userId, sessionId: 's', content, metadata }, { id: newId(), timestamp });
}

async function addEvents(userId: string, events: readonly Event[]): Promise<void> {
  for (const event of events) await graph.insert({ node: toNode(userId, event), vector: null });
}

/** Adds all events in one transaction, because one transaction for each takes long. */
async function addManyEvents(userId: string, events: readonly Event[]): Promise<void> {
  const file = new SqliteFile({
    path: folder.file('memory.db'),
    busyTimeoutMs: 5_000,
    migrations: MEMORY_MIGRATIONS,
    onOpen: prepareConnection,
    prepare: (database) => new MemoryStatements(database, { vectorsElsewhere: false }),
  });
  await file.write((statements, database) =>
    database.transaction(() => {
      for (const event of events) statements.insert({ node: toNode(userId, event), vector: null }, {});
    })(),
  );
  file.close();
}

async function addConcept(userId: string, concept: string, description: string, category?: string) {
  const metadata = category === undefined ? {} : { category };
  const fields = { userId, concept, description, metadata };
  await graph.insert({ node: toSemanticNode(fields, { id: newId(), timestamp: NOON }), vector: null });
}

const says = (...texts: string[]): Event[] =>
  texts.map((content) => ({ content, tags: ['conversation'], source: 'user' }));

const insightsOf = (userId: string, at = NOON): Promise<MemoryInsights> =>
  createInsightsReader({ graph, hasSemantic: true, now: () => at }).read(userId);

async function topicsOf(events: readonly Event[]) {
  const userId = newId();
  await addEvents(userId, events);
  return (await insightsOf(userId)).topics;
}

async function preferencesOf(...texts: string[]) {
  const userId = newId();
  await addEvents(userId, says(...texts));
  return (await insightsOf(userId)).preferences;
}

describe('topics', () => {
  it('count each memory once, one stem as one, as people write it', async () => {
    const topics = await topicsOf(
      says(
        'My garden needs water, and my garden is dry',
        'Gardens in Berlin are small, and so are skills',
        'I went to Berlin by train',
        'Berlin has a garden I like; my skill is small',
      ),
    );
    expect(topics).toEqual([
      { topic: 'Berlin', count: 3, importance: 0.5 },
      { topic: 'garden', count: 3, importance: 0.5 },
      { topic: 'skill', count: 2, importance: 0.5 },
    ]);
  });

  it('take a phrase in place of its words, where these stand in it', async () => {
    const topics = await topicsOf(
      says(
        'My violin lessons begin again',
        'The violin lesson was long',
        'I paid for the violin lessons',
        'I broke a string',
      ),
    );
    expect(topics).toEqual([{ topic: 'violin lessons', count: 3, importance: 0.5 }]);
  });

  it('have tags, categories and concepts from the first memory on, with the same words of texts', async () => {
    const userId = newId();
    await addEvents(userId, [
      { content: 'Dinner with Ada', tags: ['machine-learning', 'conversation'], importance: 1 },
      { content: 'A talk on machine learning', importance: 0.5 },
      { content: 'Machine learning again', importance: 0 },
    ]);
    await addConcept(userId, 'Photosynthesis', 'How plants make sugar', 'biology');
    await addConcept(userId, 'Osmosis', 'Water through a wall', 'biology');
    await addConcept(userId, 'Nothing', 'of note');
    const { topics } = await insightsOf(userId);
    expect(topics.slice(0, 2)).toEqual([
      { topic: 'machine-learning', count: 3, importance: 0.5 },
      { topic: 'biology', count: 2, importance: 0.5 },
    ]);
    expect(topics.slice(2).map(({ topic }) => topic)).toEqual(['Nothing', 'Osmosis', 'Photosynthesis']);
  });

  it('leave out what the assistant said, stop words, numbers, addresses and what one memory has', async () => {
    const topics = await topicsOf([
      ...says(
        'I would really like 42 of the teapots',
        'Please tell me: is 42 at https://example.com/teapots?',
      ),
      { content: 'Teapots are sold at https://example.com', tags: ['conversation'], source: 'assistant' },
      { content: 'Teapots!', tags: ['conversation'], source: 'assistant' },
    ]);
    expect(topics).toEqual([]);
  });

  it('are 20 at most, and preferred ones have the most importance in all', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `topic${index}`);
    const userId = newId();
    await addEvents(userId, [
      { content: '-', tags: names, importance: 0.1 },
      { content: '-', tags: ['rare', 'topic0'], importance: 0.9 },
      { content: '-', tags: ['rare'], importance: 0.9 },
      ...Array.from({ length: 5 }, () => ({ content: '-', tags: ['often'], importance: 0.1 })),
      { content: '-', tags: ['once'], importance: 1 },
    ]);
    const { topics, preferences } = await insightsOf(userId);
    expect(topics).toHaveLength(20);
    expect(topics[0]).toEqual({ topic: 'often', count: 5, importance: 0.1 });
    expect(preferences.preferredTopics).toEqual(['rare', 'topic0', 'often']);
  });
});

describe('activity', () => {
  it('is of the day in UTC, and of seven times 24 hours', async () => {
    const userId = newId();
    const at = (hours: number): Event => ({ content: 'x', timestamp: NOON + hours * HOUR });
    await addEvents(userId, [at(-12), at(-12.001), at(-7 * 24), at(-7 * 24 - 0.001), at(-1)]);
    await addConcept(userId, 'tea', 'is hot');
    const { totalMemories, recentActivity } = await insightsOf(userId);
    expect(totalMemories).toBe(6);
    expect(recentActivity).toEqual({ lastConversation: null, memoriesToday: 3, memoriesThisWeek: 5 });
    expect((await insightsOf(userId, NOON + 12 * HOUR)).recentActivity.memoriesToday).toBe(0);
  });

  it('tells the last message of a conversation, whoever wrote it', async () => {
    const userId = newId();
    await addEvents(userId, [
      { content: 'hi', tags: ['conversation'], timestamp: NOON - 5 },
      { content: 'hello', tags: ['conversation'], source: 'assistant', timestamp: NOON - 4 },
      { content: 'something else', timestamp: NOON - 3 },
    ]);
    const { lastConversation } = (await insightsOf(userId)).recentActivity;
    expect(lastConversation).toBe(new Date(NOON - 4).toISOString());
  });

  it('of a user without memories is none', async () => {
    expect(await insightsOf('nobody')).toEqual({
      userId: 'nobody',
      totalMemories: 0,
      topics: [],
      recentActivity: { lastConversation: null, memoriesToday: 0, memoriesThisWeek: 0 },
      preferences: { preferredTopics: [], conversationStyle: 'unknown', detailLevel: 'unknown' },
    });
  });
});

describe('preferences', () => {
  it.each<[string, string[], string]>([
    [
      'inquisitive',
      ['How does osmosis work?', 'why is the sky blue', 'And who was Ada Lovelace?', 'I see.'],
      'inquisitive',
    ],
    [
      'directive',
      [
        'Add 3 and 4',
        'Hi, could you check the train times?',
        "Don't use long words",
        'The train is late again, it seems',
      ],
      'directive',
    ],
    [
      'informative',
      [
        'I moved to Berlin in the spring of 2019',
        'My sister plays the violin in an orchestra',
        'What is new?',
        'We meet on Tuesdays in the park',
      ],
      'informative',
    ],
    ['conversational', ['Hello there!', 'Fine, thanks.', 'How are you?', 'Haha, indeed'], 'conversational'],
    ['unknown with two messages', ['How does osmosis work?', 'Why is the sky blue?'], 'unknown'],
    [
      'inquisitive before informative',
      ['Is it?', 'Why?', 'It is a very long day', 'It was a very long day'],
      'inquisitive',
    ],
  ])('style: %s', async (_, texts, style) => {
    expect((await preferencesOf(...texts)).conversationStyle).toBe(style);
  });

  const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');
  it.each<[number[], string]>([
    [[1, 7, 100], 'brief'],
    [[1, 8, 100], 'moderate'],
    [[7, 8, 7, 8], 'brief'],
    [[24, 24, 1], 'moderate'],
    [[25, 25, 1], 'detailed'],
    [[1, 25, 25, 1], 'moderate'],
    [[100, 100], 'unknown'],
  ])('detail of messages of %j words: %s', async (counts, level) => {
    expect((await preferencesOf(...counts.map(words))).detailLevel).toBe(level);
  });

  it("are of the user's own messages alone", async () => {
    const userId = newId();
    await addEvents(userId, [
      ...says('Add 3 and 4', 'Stop', 'Count to 9'),
      ...Array.from({ length: 9 }, () => ({
        content: `What would you like to do now, ${words(30)}?`,
        tags: ['conversation'],
        source: 'assistant',
      })),
      ...Array.from({ length: 9 }, () => ({ content: `Is this a note, ${words(30)}?`, source: 'user' })),
    ]);
    const { conversationStyle, detailLevel } = (await insightsOf(userId)).preferences;
    expect([conversationStyle, detailLevel]).toEqual(['directive', 'brief']);
  });
});

describe('with 5,000 memories', () => {
  const subjects = [
    'violin',
    'garden',
    'Berlin',
    'train',
    'osmosis',
    'teapot',
    'orchestra',
    'kitchen',
    'bicycle',
  ];
  const userId = newId();
  beforeAll(async () => {
    await addManyEvents(
      userId,
      Array.from({ length: 5_000 }, (_, index) => ({
        content:
          `Number ${index}: ${subjects[index % 9]} and ${subjects[(index * 7) % 8]} number${index % 997} were ` +
          `discussed by colleague${index % 89} before lunch, with the unusual word${index % 4_999} in the middle of it`,
        timestamp: NOON - index,
        tags: index % 2 === 0 ? ['conversation'] : [`tag${index % 31}`],
      })),
    );
  });

  it(`reads the latest ${MAX_READ}, and lets others in meanwhile`, async () => {
    await insightsOf(userId);
    const iterations = await countLoopIterations(async () => {
      const { totalMemories, topics } = await insightsOf(userId);
      expect(totalMemories).toBe(5_000);
      expect(topics[0]!.count).toBeLessThanOrEqual(MAX_READ);
    });
    // A read that did everything at once would leave others only a few iterations.
    expect(iterations).toBeGreaterThan(10);
  });
});

it('reads texts of at signs as quickly as others', () => {
  const counter = new TopicCounter();
  withHangLimit(() => {
    for (let count = 0; count < 2 * MAX_READ; count += 1)
      counter.add({ names: [], text: '@'.repeat(10_000), weight: 0.5 });
  });
  counter.add({ names: ['mail'], text: 'ask ann@example.org, please', weight: 0.5 });
  expect(counter.topics(20).map(({ topic }) => topic)).toEqual(['mail']);
});

it('has topics of any text at all, in time', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 200 }), { maxLength: 5 }), (texts) => {
      const counter = new TopicCounter();
      for (const text of texts) counter.add({ names: [text], text: `${text} ${text}`, weight: 0.5 });
      for (const { count, importance } of counter.topics(20)) {
        expect(count).toBeLessThanOrEqual(texts.length);
        expect(importance).toBe(0.5);
      }
    }),
  );
  const long = new TopicCounter();
  for (const unit of ['a', 'word ', "'’", 'http://', '@.', '\n']) {
    withHangLimit(() => long.add({ names: [unit], text: unit.repeat(500_000), weight: 1 }));
    expect(withHangLimit(() => classifyStyle([unit.repeat(200_000), '', '']))).not.toBe('unknown');
  }
});
