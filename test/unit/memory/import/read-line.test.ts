import { createLineReader } from '../../../../src/memory/import/read-line';

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const STORED = Date.parse('2026-01-02T03:04:05.678Z');
const read = createLineReader(100);
const of = (value: unknown) =>
  read(typeof value === 'string' ? value : JSON.stringify(value), 7, { userId: 'ada', storedAt: STORED });
const SAID = {
  role: 'user',
  content: 'I live in Leeds.',
  timestamp: '2024-05-01T10:00:00+02:00',
  sessionId: 's',
};
const EVENT = {
  kind: 'episodic',
  id: ID,
  userId: 'bob',
  sessionId: 's',
  timestamp: '2024-05-01T10:00:00Z',
  content: 'x',
};
const CONCEPT = { kind: 'semantic', id: ID, userId: 'bob', concept: 'tea', description: 'hot' };

test('a message is an event of its time that is stored now, of a conversation where a person or an assistant says it', () => {
  const at = Date.parse('2024-05-01T08:00:00Z');
  expect(of(SAID)).toMatchObject({
    line: 7,
    node: {
      ...{ kind: 'episodic', userId: 'ada', sessionId: 's', timestamp: at, storedAt: STORED },
      ...{
        labels: ['conversation'],
        weight: 0.5,
        body: { content: SAID.content, metadata: { source: 'user' } },
      },
    },
    named: { said: { at, role: 'user', content: SAID.content, sessionId: 's' } },
    ties: [],
  });
  expect(of({ ...SAID, role: 'assistant' })).toMatchObject({
    node: { labels: ['conversation'], weight: 0.3 },
  });
  expect(of({ ...SAID, role: 'system' })).toMatchObject({
    node: { labels: [], body: { metadata: { source: 'system' } } },
  });
});

test('a line of an export keeps its times, and names its relations; neighbours are those of the time', () => {
  const at = Date.parse(EVENT.timestamp);
  const relationships = { previous: 'a', next: 'b', related: ['c'] };
  expect(of({ ...EVENT, relationships })).toMatchObject({
    node: { userId: 'ada', timestamp: at, storedAt: at },
    named: { id: ID },
    ties: [{ tiedAs: 'related', id: 'c', field: 'relationships.related' }],
  });
  expect(of({ ...EVENT, storedAt: '2025-01-01T00:00:00Z' })).toMatchObject({
    node: { timestamp: at, storedAt: Date.parse('2025-01-01T00:00:00Z') },
  });
  const tied = of({
    ...CONCEPT,
    relationships: { similar: ['a'], parent: 'b', children: ['c', 'd'], related: [] },
  });
  expect(tied).toMatchObject({
    node: { kind: 'semantic', userId: 'ada', timestamp: STORED },
    ties: [
      { tiedAs: 'similar', id: 'a' },
      { tiedAs: 'parent', id: 'b' },
      { tiedAs: 'child', id: 'c' },
      { tiedAs: 'child', id: 'd' },
    ],
  });
});

test('empty lines are nothing, and the end of an export has its numbers', () => {
  expect(of('  ')).toBeUndefined();
  expect(of({ kind: 'end', episodic: 2, semantic: 1 })).toEqual({
    line: 7,
    end: { kind: 'end', episodic: 2, semantic: 1 },
  });
});

test.each<[unknown, string | undefined, string]>([
  ['\ufffd', undefined, 'The row is not JSON'],
  ['[1]', undefined, 'expected object'],
  ['{"a":1e400}', undefined, 'beyond the range of numbers'],
  [JSON.stringify(SAID).replace('Leeds', String.raw`\ud83d`), 'content', 'must have no lone surrogates'],
  [{ ...SAID, role: 'human' }, 'role', 'Invalid option'],
  [{ ...SAID, timestamp: '2024-05-01' }, 'timestamp', 'must be an ISO 8601 date and time'],
  [
    { ...SAID, timestamp: '2999-05-01T10:00:00Z' },
    'timestamp',
    'must not be in the future by more than a day',
  ],
  [{ ...SAID, sessionId: '..' }, 'sessionId', 'must not be "." or ".."'],
  [{ ...SAID, content: ' ' }, 'content', 'must not be empty'],
  [
    { ...SAID, content: 'x'.repeat(101) },
    'content',
    'must have at most 100 characters (MEMORY_MAX_CONTENT_LENGTH)',
  ],
  [{ ...SAID, name: 'Ada' }, undefined, 'name'],
  [{ ...EVENT, id: '../x' }, 'id', 'must be the id of a memory'],
  [{ ...EVENT, timestamp: undefined }, 'timestamp', 'ISO 8601'],
  [{ ...EVENT, metadata: { big: 'x'.repeat(70_000) } }, 'metadata', 'is too long'],
  [{ ...CONCEPT, description: undefined }, 'description', 'expected string'],
  [{ ...CONCEPT, relationships: { related: [''] } }, 'relationships.related[0]', 'Too small'],
])('the line %j is refused', (value, field, message) => {
  const { error, kind } = of(value) as { error: { message: string }; kind?: string };
  expect(error).toMatchObject({
    line: 7,
    error: 'Validation error',
    message: expect.stringContaining(message),
  });
  expect((error as { field?: string }).field).toBe(field);
  expect(kind).toBe((value as { kind?: string }).kind);
});

test('the error of a line has no more than the beginning of its long names', () => {
  const { error } = of({ ...SAID, ['x'.repeat(100_000)]: 1 }) as { error: { message: string } };
  expect(error.message).toContain('xxx');
  expect(error.message.length).toBeLessThanOrEqual(300);
});
