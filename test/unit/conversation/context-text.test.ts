import type { Recalled, RecalledEpisodic, RecentMessage } from '../../../src/contracts/http/conversations';
import { contextText } from '../../../src/conversation/context-text';
import { countTokens } from '../../../src/llm/token-count';

const timeOf = (day: number): string => new Date(Date.UTC(2026, 10, day)).toISOString();

function event(id: string, content: string, day: number, relevanceScore = 0.9): RecalledEpisodic {
  return {
    id,
    userId: 'ann',
    sessionId: 's',
    timestamp: timeOf(day),
    content,
    context: {},
    metadata: { source: 'user', importance: 0.5, tags: [] },
    relationships: { related: [] },
    relevanceScore,
  };
}

function message(id: string, content: string, day = 1): RecentMessage {
  return { id, role: 'user', content, timestamp: timeOf(day) };
}

const describeContext = (recalled: Partial<Recalled>, maxTokens?: number) =>
  contextText({ episodic: [], semantic: [], recent: [], ...recalled }, maxTokens);
/** A text of about this number of tokens that shares no word with another such text. */
const long = (name: string, words: number): string =>
  Array.from({ length: words }, (_, at) => `${name}${at}`).join(' ');

test('two facts in nearly the same words are both told', () => {
  const budget = (euros: number): string =>
    `My budget for the summer trip to the sea is exactly ${euros} euros`;
  const facts = [event('a', budget(200), 1), event('b', budget(300), 2)];
  expect(describeContext({ episodic: facts }).included).toEqual(['a', 'b']);
  const likes = [
    event('c', 'I like the soup of the canteen at work', 1),
    event('d', 'I do not like the soup of the canteen at work', 2),
  ];
  expect(describeContext({ episodic: likes }).included).toEqual(['c', 'd']);
});

test('of true duplicates the latest is told, whichever is the better one', () => {
  const sentence = 'Ada plays the violin in the town square';
  const older = event('a', sentence, 1, 0.9);
  const newer = event('b', `${sentence}!`, 2, 0.8);
  expect(describeContext({ episodic: [older, newer] }).included).toEqual(['b']);
  expect(describeContext({ episodic: [newer, { ...older, relevanceScore: 0.95 }] }).included).toEqual(['b']);
  const [first, second] = [1, 2].map((day) => event(`${day}`, long('word', 40), day, 1 - day / 10));
  const budget = countTokens(describeContext({ episodic: [first!] }).text) + 5;
  expect(describeContext({ episodic: [first!, second!] }, budget).included).toEqual(['2']);
});

test('the latest messages leave half of the budget to what was recalled', () => {
  const recent = Array.from({ length: 20 }, (_, n) => message(`m${n}`, long(`m${n}x`, 30), n + 1));
  const episodic = [event('fact', 'Rosa is the plumber', 1)];
  const { included, text } = describeContext({ recent, episodic }, 1_000);
  expect(included).toContain('fact');
  expect(countTokens(text)).toBeLessThanOrEqual(1_050);
  const messages = included.filter((id) => id.startsWith('m'));
  expect(messages.length).toBeGreaterThan(0);
  expect(messages).toEqual(recent.slice(-messages.length).map(({ id }) => id));
  const alone = describeContext({ recent }, 1_000);
  expect(countTokens(alone.text)).toBeLessThanOrEqual(550);
});

test('the session has no hole: behind a message that does not fit there is none', () => {
  const recent = [message('old', 'short'), message('long', long('word', 900)), message('last', 'brief')];
  expect(describeContext({ recent }, 500).included).toEqual(['last']);
});
