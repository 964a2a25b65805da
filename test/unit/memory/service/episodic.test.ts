import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import type { SourceMemory } from '../../../../src/memory/facts/facts';
import { createEpisodicMemories, type EpisodicPorts } from '../../../../src/memory/service/episodic';
import type { MemoryNode } from '../../../../src/stores/memory/node';

test('a change of the text draws facts with the text before it, and a new memory without', async () => {
  const drawn: SourceMemory[] = [];
  let stored: MemoryNode | undefined;
  const embedder = createLexicalEmbedder(64);
  const memories = createEpisodicMemories({
    graph: {
      get: () => Promise.resolve(stored),
      insert: ({ node }: { node: MemoryNode }) =>
        Promise.resolve((stored = { ...node, revision: 1, readCount: 0, readAt: null })),
      update: (_id: string, change: Partial<MemoryNode>) =>
        Promise.resolve((stored = { ...(stored as MemoryNode), ...change })),
      related: () => Promise.resolve([]),
    } as unknown as EpisodicPorts['graph'],
    spaces: {
      use: (work: (opened: object) => unknown) => work({ space: { id: 's' }, embedder }),
    } as unknown as EpisodicPorts['spaces'],
    reads: {} as EpisodicPorts['reads'],
    facts: {
      draw: (memory) => Promise.resolve(void drawn.push(memory)),
      forget: () => Promise.resolve(),
      list: () => Promise.resolve([]),
    },
    newId: () => 'm1',
    now: () => 1,
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
