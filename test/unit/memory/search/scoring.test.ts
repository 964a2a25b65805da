import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import { toRankings } from '../../../../src/memory/search/fusion';
import { scoreNodes } from '../../../../src/memory/search/scoring';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import { episodic } from '../../../contract/support/memories';
import { countLoopIterations, useSteppingClock } from '../../../support/loop-iterations';

const embedder = createLexicalEmbedder(64);
const rankings = toRankings([], []);
const nodesOf = (texts: readonly string[]): MemoryNode[] =>
  texts.map((text) => ({ ...episodic({ text }), revision: 1, readCount: 0, readAt: null }));

describe('scoring of memories', () => {
  it('tells the share of words, and from it the relevance', async () => {
    const nodes = nodesOf(['a violin', 'a walk', 'violin concert', 'violins', 'violin']);
    const score = async (text: string) => [
      ...(await scoreNodes(nodes, embedder, { text, rankings })).values(),
    ];
    const whole = await score('violin');
    expect(whole.map(({ coverage }) => coverage)).toEqual([1, 0, 1, 1, 1]);
    expect(whole.map(({ relevance }) => relevance >= 0.7)).toEqual([true, false, true, true, true]);
    expect((await score('violin lesson')).map(({ coverage }) => coverage)).toEqual([0.5, 0, 0.5, 0.5, 0.5]);
  });

  it('fuses the places in both rankings', async () => {
    const [both, words, meaning] = nodesOf(['violin', 'violin', 'a walk']) as [
      MemoryNode,
      MemoryNode,
      MemoryNode,
    ];
    const byMeaning = [both, meaning].map(({ id }, at) => ({ id, score: 0.9 - at / 10 }));
    const byWords = [both, words].map(({ id }) => ({ id, score: 3 }));
    const query = { text: 'violin', rankings: toRankings(byMeaning, byWords) };
    const scores = await scoreNodes([both, words, meaning], { ...embedder, meaningShare: 0.4 }, query);
    const fused = [both, words, meaning].map(({ id }) => scores.get(id)?.fused);
    expect(fused).toEqual([1, 0.6, 0]);
    expect(scores.get(words.id)?.meaning).toBeUndefined();
    expect(scores.get(meaning.id)?.meaning).toMatchObject({ rank: 2, score: 0.8 });
  });

  it('lets others have their turn between long texts', async () => {
    const all = nodesOf(Array.from({ length: 400 }, (_, n) => `a violin and number ${n}`));
    const clock = useSteppingClock();
    const iterations = await countLoopIterations(() =>
      scoreNodes(all, embedder, { text: 'violin concert hall', rankings }),
    );
    clock.restore();
    // Work yields the event loop after at most five milliseconds, here two or three texts.
    expect(iterations).toBeGreaterThan(400 / 4);
  });
});
