import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import type { SourceMemory } from '../../../../src/memory/facts/facts';
import {
  createEpisodicMemories,
  type EpisodicMemories,
  type EpisodicPorts,
} from '../../../../src/memory/service/episodic';
import type { MemoryNode } from '../../../../src/stores/memory/node';

/** Memories in a store that holds one memory, whose facts are drawn by `facts`. */
function openOne(facts: Pick<EpisodicPorts['facts'], 'draw' | 'forget'>): EpisodicMemories {
  let stored: MemoryNode | undefined;
  const embedder = createLexicalEmbedder(64);
  return createEpisodicMemories({
    graph: {
      get: () => Promise.resolve(stored),
      insert: ({ node }: { node: MemoryNode }) =>
        Promise.resolve((stored = { ...node, revision: 1, readCount: 0, readAt: null })),
      update: (_id: string, change: Partial<MemoryNode>) =>
        Promise.resolve((stored = { ...(stored as MemoryNode), ...change })),
      delete: () => Promise.resolve(([stored] = [undefined, stored])[0] ?? {}),
      related: () => Promise.resolve([]),
    } as unknown as EpisodicPorts['graph'],
    spaces: {
      use: (work: (opened: object) => unknown) => work({ space: { id: 's' }, embedder }),
    } as unknown as EpisodicPorts['spaces'],
    reads: {} as EpisodicPorts['reads'],
    facts: { ...facts, list: () => Promise.resolve([]), sourceOf: () => Promise.resolve(undefined) },
    newId: () => 'm1',
    now: () => 1,
  });
}

test('a change of the text draws facts with the text before it, and a new memory without', async () => {
  const drawn: SourceMemory[] = [];
  const memories = openOne({
    draw: (memory) => Promise.resolve(void drawn.push(memory)),
    forget: () => Promise.resolve(),
  });
  await memories.create({ userId: 'ada', sessionId: 's', content: 'I live in Leeds' });
  await memories.update('m1', { content: 'I live in Hull' });
  await memories.update('m1', { metadata: { importance: 0.9 } });
  expect(drawn).toEqual([
    { userId: 'ada', sessionId: 's', memoryId: 'm1', at: 1, text: 'I live in Leeds' },
    {
      userId: 'ada',
      sessionId: 's',
      memoryId: 'm1',
      at: 1,
      text: 'I live in Hull',
      formerText: 'I live in Leeds',
    },
  ]);
});

describe('facts beside other changes', () => {
  /** Memories with one memory, and the text whose facts were drawn last. `meanwhile` runs before the first facts are written. */
  function open(meanwhile: (memories: EpisodicMemories) => Promise<unknown>) {
    let drawn: string | undefined;
    let isFirst = false;
    const memories = openOne({
      async draw({ text }) {
        if (isFirst) {
          isFirst = false;
          await meanwhile(memories);
        }
        drawn = text;
      },
      forget: () => Promise.resolve(void (drawn = undefined)),
    });
    return {
      async change() {
        await memories.create({ userId: 'ada', sessionId: 's', content: 'I live in Leeds' });
        isFirst = true;
        await memories.update('m1', { content: 'I live in York' });
        return drawn;
      },
    };
  }

  test.each<[string, (memories: EpisodicMemories) => Promise<unknown>, string | undefined]>([
    ['changed', (memories) => memories.update('m1', { content: 'I live in Hull' }), 'I live in Hull'],
    ['deleted', (memories) => memories.delete('m1'), undefined],
    ['no longer of a user', (memories) => memories.update('m1', { metadata: { source: 'note' } }), undefined],
  ])('a memory that is %s while its facts are drawn has no others', async (_, meanwhile, expected) => {
    expect(await open(meanwhile).change()).toBe(expected);
  });
});
