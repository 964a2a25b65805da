import type { LongConversation } from '../../../bench/memory/quality/dataset';
import { judge, summarise } from '../../../bench/memory/quality/judging';
import { createBm25 } from '../../../bench/memory/quality/long-conversations';

const conversation: LongConversation = {
  id: 'c',
  turns: ['a', 'b', 'c', 'd'].map((id, at) => ({
    ...{ id, session: Math.floor(at / 2), date: '3 May 2023', speaker: 'Ana', text: id },
  })),
  questions: [],
};
const about = (evidence: string[], category: number | string = 1) => ({ q: '?', evidence, category });

describe('what a search over long conversations is judged by', () => {
  it('is the share of the answering turns, the rank of the first, and its session', () => {
    const found = { conversation, question: about(['b', 'd']), turns: [0, 1] };
    expect(judge(found)).toEqual({ recall: 0.5, hit: 1, mrr: 0.5, sessionRecall: 1 });
    expect(judge({ ...found, turns: [] })).toEqual({ recall: 0, hit: 0, mrr: 0, sessionRecall: 0 });
    expect(judge({ ...found, question: about(['d']), turns: [2] })).toMatchObject({
      hit: 0,
      sessionRecall: 1,
    });
  });

  it('is the mean over questions that some turn answers, also by category', () => {
    const summary = summarise([
      { conversation, question: about(['a'], 1), turns: [0] },
      { conversation, question: about(['b'], 2), turns: [0] },
      { conversation, question: about(['nowhere'], 2), turns: [0] },
    ]);
    expect(summary).toMatchObject({ recall: 0.5, byCategory: { 1: 1, 2: 0 } });
  });
});

describe('plain BM25', () => {
  it('goes by rarity, length and number of the words, and by no stop word', () => {
    const search = createBm25([
      'the violin',
      'the violin and a long walk by the lake',
      'the lake',
      'the cello',
    ]);
    expect(search('the violin', 9)).toEqual([0, 1]);
    expect(search('violin cello', 1)).toEqual([3]);
    expect(search('the', 9)).toEqual([]);
  });
});
