import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import { scoreCandidates } from '../../../../src/memory/search/scoring';
import { episodic } from '../../../contract/support/memories';
import { countLoopIterations, useSteppingClock } from '../../../support/loop-iterations';

const embedder = createLexicalEmbedder(64);
const candidates = (texts: readonly string[]) =>
  texts.map((text) => ({
    node: { ...episodic({ text }), revision: 1, readCount: 0, readAt: null },
    cosine: 0,
  }));

describe('scoring of candidates', () => {
  it('keeps their order, leaves out what is below the threshold, and tells the share of words', async () => {
    const texts = ['a violin', 'a walk', 'violin concert', 'violins', 'violin'];
    const scored = await scoreCandidates(candidates(texts), embedder, { text: 'violin', threshold: 0.7 });
    expect(scored.map(({ node }) => node.text)).toEqual(['a violin', 'violin concert', 'violins', 'violin']);
    expect(scored.map(({ coverage }) => coverage)).toEqual([1, 1, 1, 1]);
    const half = await scoreCandidates(candidates(texts), embedder, { text: 'violin lesson', threshold: 0 });
    expect(half.map(({ coverage }) => coverage)).toEqual([0.5, 0, 0.5, 0.5, 0.5]);
  });

  it('lets others have their turn between long texts', async () => {
    const all = candidates(Array.from({ length: 400 }, (_, n) => `a violin and number ${n}`));
    const query = { text: 'violin concert hall', threshold: 0 };
    const clock = useSteppingClock();
    const iterations = await countLoopIterations(() => scoreCandidates(all, embedder, query));
    clock.restore();
    // Work yields the event loop after at most five milliseconds, here two or three texts.
    expect(iterations).toBeGreaterThan(400 / 4);
  });
});
