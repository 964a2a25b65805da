import {
  changeEpisodic,
  toPlacement,
  toEpisodicRelations,
  toEpisodicMemory,
  toEpisodicNode,
  timesOf,
} from '../../../../src/memory/nodes/episodic-node';
import {
  changeSemantic,
  buildSemanticRelations,
  toSemanticMemory,
  toSemanticNode,
} from '../../../../src/memory/nodes/semantic-node';
import type { MemoryNode, NewMemoryNode } from '../../../../src/stores/memory/node';

const MADE = 1_700_000_000_000;
const AS = { id: 'id', timestamp: MADE };

function stored(node: NewMemoryNode, rest: Partial<MemoryNode> = {}): MemoryNode {
  return { ...node, revision: 1, readCount: 0, readAt: null, ...rest };
}

test.each([
  ['stored when it was said', MADE, MADE, { at: MADE }],
  ['stored later', MADE, MADE + 5, { at: MADE, storedAt: MADE + 5 }],
  ['dated ahead', MADE + 5, MADE, { at: MADE }],
])('what a memory says that was %s', (_, timestamp, storedAt, times) => {
  const node = toEpisodicNode({ userId: 'ann', sessionId: 's', content: 'x' }, AS);
  expect(timesOf(stored({ ...node, timestamp, storedAt }))).toEqual(times);
});

describe('an episodic memory in the store', () => {
  const node = toEpisodicNode(
    {
      userId: 'ann',
      sessionId: 's',
      content: 'lunch',
      metadata: { importance: 0.9, tags: ['a', 'b', 'a'], location: 'Kiel', participants: ['Ada', 'Bob'] },
    },
    AS,
  );

  it('has what is filtered by in fields, and what search reads in its text', () => {
    expect(node).toMatchObject({
      kind: 'episodic',
      weight: 0.9,
      labels: ['a', 'b'],
      text: 'lunch\nKiel\nAda\nBob',
    });
    expect(node.body['metadata']).toEqual({ source: 'user', location: 'Kiel', participants: ['Ada', 'Bob'] });
  });

  it('has short texts of its context in its text, up to a length that an embedder takes in its stride', () => {
    const context = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`k${at}`, `${at}`.padStart(100, 'x')]),
    );
    const { text, body } = toEpisodicNode({ userId: 'ann', sessionId: 's', content: 'lunch', context }, AS);
    expect(text.split('\n')).toEqual(['lunch', ...Object.values(context).slice(0, 20)]);
    expect(body['context']).toEqual(context);
  });

  it('comes back as it was given, with its relations', () => {
    const related = [
      { id: 'p', relationship: 'previous' as const },
      { id: 'n', relationship: 'next' as const },
      { id: 'r', relationship: 'related' as const },
    ];
    expect(toEpisodicMemory(stored(node), related)).toEqual({
      id: 'id',
      userId: 'ann',
      sessionId: 's',
      timestamp: new Date(MADE).toISOString(),
      content: 'lunch',
      context: {},
      metadata: {
        source: 'user',
        importance: 0.9,
        tags: ['a', 'b'],
        location: 'Kiel',
        participants: ['Ada', 'Bob'],
      },
      relationships: { previous: 'p', next: 'n', related: ['r'] },
    });
  });

  it('keeps its text where nothing of it changes', () => {
    expect(changeEpisodic(stored(node), { metadata: { importance: 0 }, context: { x: 1 } })).toMatchObject({
      text: node.text,
      weight: 0,
      labels: ['a', 'b'],
    });
    expect(changeEpisodic(stored(node), { metadata: { location: null } }).text).toBe('lunch\nAda\nBob');
  });

  it.each([
    [{}, undefined],
    [{ previous: null, next: null }, undefined],
    [{ previous: 'p' }, { after: 'p' }],
    [{ next: 'n', previous: null }, { before: 'n' }],
    [
      { previous: 'p', next: 'n' },
      { after: 'p', before: 'n' },
    ],
  ])('%j goes to %j', (relationships, placement) => {
    expect(toPlacement(relationships)).toEqual(placement);
  });

  it('keeps its relations where none are given', () => {
    expect(toEpisodicRelations({ previous: 'p' })).toBeUndefined();
    expect(toEpisodicRelations({ related: [] })).toEqual([]);
  });
});

describe('a semantic memory in the store', () => {
  const given = {
    userId: 'ann',
    concept: 'cat',
    description: 'an animal',
    metadata: { category: 'zoo', more: 1 },
  };
  const node = toSemanticNode(given, AS);

  it('has what is filtered by in fields, and what search reads in its text', () => {
    expect(node).toMatchObject({
      kind: 'semantic',
      sessionId: null,
      weight: 0.5,
      labels: ['zoo'],
      text: 'cat\nan animal',
    });
    expect(node.body['metadata']).toEqual({ source: 'user', more: 1 });
  });

  it('was last accessed when it was made, until it is read', () => {
    expect(toSemanticMemory(stored(node), []).metadata).toMatchObject({
      accessCount: 0,
      lastAccessed: new Date(MADE).toISOString(),
    });
    expect(toSemanticMemory(stored(node, { readCount: 2, readAt: MADE + 5 }), []).metadata).toMatchObject({
      accessCount: 2,
      lastAccessed: new Date(MADE + 5).toISOString(),
    });
  });

  it('counts on from what a caller sets', () => {
    const read = stored(node, { readCount: 2, readAt: MADE + 5 });
    const at = new Date(MADE - 1_000).toISOString();
    const change = changeSemantic(read, { metadata: { accessCount: 10, lastAccessed: at } });
    const changed = { ...read, ...change };
    expect(toSemanticMemory(changed, []).metadata).toMatchObject({ accessCount: 10, lastAccessed: at });
    const later = { ...changed, ...changeSemantic(changed, { description: 'x' }) };
    expect(toSemanticMemory(later, []).metadata).toMatchObject({ accessCount: 10, lastAccessed: at });
    expect(toSemanticMemory({ ...later, readCount: 3, readAt: MADE + 9 }, []).metadata).toMatchObject({
      accessCount: 11,
      lastAccessed: new Date(MADE + 9).toISOString(),
    });
  });

  it('names the kinds of relation that are given, which are replaced', () => {
    expect(buildSemanticRelations({})).toEqual({});
    expect(buildSemanticRelations({ similar: ['x'], parent: null })).toEqual({
      relations: [{ type: 'similar', direction: 'out', id: 'x' }],
      replacedRelations: ['similar', 'parent'],
    });
    expect(buildSemanticRelations({ children: ['c'], related: [] })).toEqual({
      relations: [{ type: 'parent', direction: 'in', id: 'c' }],
      replacedRelations: ['related', 'child'],
    });
  });
});

describe('what callers keep with a memory besides its texts', () => {
  const event = { userId: 'ann', sessionId: 's', content: 'lunch' };
  const concept = { userId: 'ann', concept: 'tea', description: 'a drink' };
  const long = (length: number) => ({ note: 'x'.repeat(length) });
  const refused = (field: string) =>
    expect.objectContaining({ code: 'VALIDATION', details: expect.objectContaining({ field }) });
  const problemOf = (make: () => unknown): unknown => {
    try {
      make();
      return undefined;
    } catch (error) {
      return error;
    }
  };

  test('has a maximum length, whichever part is long', () => {
    expect(problemOf(() => toEpisodicNode({ ...event, context: long(60_000) }, AS))).toBeUndefined();
    expect(problemOf(() => toEpisodicNode({ ...event, context: long(70_000) }, AS))).toEqual(
      refused('context'),
    );
    expect(problemOf(() => toEpisodicNode({ ...event, metadata: long(70_000) }, AS))).toEqual(
      refused('metadata'),
    );
    expect(problemOf(() => toSemanticNode({ ...concept, metadata: long(70_000) }, AS))).toEqual(
      refused('metadata'),
    );
  });

  test('does not become longer by several changes', () => {
    const node = stored(toEpisodicNode({ ...event, context: { a: 'x'.repeat(40_000) } }, AS));
    const change = { context: { b: 'x'.repeat(40_000) } };
    expect(problemOf(() => changeEpisodic(node, change))).toEqual(refused('context'));
    const other = stored(toSemanticNode({ ...concept, metadata: { a: 'x'.repeat(40_000) } }, AS));
    expect(problemOf(() => changeSemantic(other, { metadata: change.context }))).toEqual(refused('metadata'));
  });

  test('may stay where it was longer', () => {
    const before = stored(toEpisodicNode(event, AS));
    const node = { ...before, body: { ...before.body, context: long(100_000) } };
    expect(problemOf(() => changeEpisodic(node, { content: 'dinner' }))).toBeUndefined();
    expect(problemOf(() => changeEpisodic(node, { context: long(90_000) }))).toBeUndefined();
    expect(problemOf(() => changeEpisodic(node, { context: long(110_000) }))).toEqual(refused('context'));
  });
});
