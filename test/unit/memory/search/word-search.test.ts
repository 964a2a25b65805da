import { searchWords } from '../../../../src/memory/search/word-search';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import { episodic } from '../../../contract/support/memories';
import { countLoopIterations, useSteppingClock } from '../../../support/loop-iterations';

const QUERY = { userId: 'ann', kind: 'episodic', limit: 50, weight: 0.5 } as const;

/** A graph that finds all of these texts by any words, in this order. */
function graphOf(texts: readonly string[]) {
  const nodes = texts.map((text) => ({ ...episodic({ text }), revision: 1, readCount: 0, readAt: null }));
  const byId = new Map<string, MemoryNode>(nodes.map((node) => [node.id, node]));
  const read: number[] = [];
  return {
    read,
    searchText: () => Promise.resolve(nodes.map(({ id }) => ({ id, score: 1 }))),
    getMany: (ids: readonly string[]) => {
      read.push(ids.length);
      return Promise.resolve(new Map(ids.map((id) => [id, byId.get(id) as MemoryNode])));
    },
  };
}

describe('a search by words alone', () => {
  it('tells the share of the text that a memory covers best, and leaves out what covers none', async () => {
    const graph = graphOf(['violin', 'a walk', 'violin concert', 'a concert hall in the city']);
    const found = await searchWords(graph, { ...QUERY, texts: ['violin concert', 'hall', 'the'] });
    expect(found.map(({ node, relevance }) => [node.text, relevance])).toEqual([
      ['violin concert', 0.5],
      ['a concert hall in the city', 0.5],
      ['violin', 0.25],
    ]);
  });

  it('finds nothing by texts that have no words of content', async () => {
    expect(await searchWords(graphOf(['violin']), { ...QUERY, texts: ['the', '?'] })).toEqual([]);
  });

  it('reads a hundred at a time and lets others have their turn between long ones', async () => {
    const graph = graphOf(Array.from({ length: 200 }, (_, n) => `a violin and number ${n}`));
    const texts = Array.from({ length: 20 }, (_, n) => `related${n}`);
    const clock = useSteppingClock();
    const iterations = await countLoopIterations(() => searchWords(graph, { ...QUERY, texts }));
    clock.restore();
    // Work yields the event loop after at most five milliseconds, here two or three texts.
    expect(iterations).toBeGreaterThan(200 / 4);
    expect(graph.read).toEqual([100, 100]);
  });

  it('lets others have their turn also where it leaves out what it reads', async () => {
    const graph = graphOf(Array.from({ length: 200 }, (_, n) => `a violin and number ${n}`));
    const clock = useSteppingClock();
    const query = { ...QUERY, texts: ['violin'], except: () => true };
    const iterations = await countLoopIterations(() => searchWords(graph, query));
    clock.restore();
    expect(iterations).toBeGreaterThan(200 / 4);
  });
});
