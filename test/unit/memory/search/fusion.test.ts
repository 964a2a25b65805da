import { fuseRankings } from '../../../../src/memory/search/rank-fusion';
import type { SearchHit } from '../../../../src/stores/memory/search';

/** Hits with falling scores. */
function ranking(...ids: string[]): SearchHit[] {
  return ids.map((id, index) => ({ id, score: 1 / (index + 1) }));
}

describe('several rankings as one', () => {
  it('adds 1 / (60 + rank) of each', () => {
    const fused = fuseRankings([ranking('a', 'b'), ranking('b', 'c')]);
    expect([...fused.keys()].sort()).toEqual(['a', 'b', 'c']);
    expect(fused.get('a')).toBeCloseTo(1 / 61, 12);
    expect(fused.get('b')).toBeCloseTo(1 / 62 + 1 / 61, 12);
    expect(fused.get('c')).toBeCloseTo(1 / 62, 12);
  });

  it('has what is good in both before what is best in one', () => {
    const fused = fuseRankings([ranking('words', 'x', 'both'), ranking('meaning', 'y', 'both')]);
    expect(fused.get('both')).toBe(Math.max(...fused.values()));
  });

  it('gives equals of a ranking one rank, and the next its place', () => {
    const fused = fuseRankings([
      [
        { id: 'a', score: 2 },
        { id: 'b', score: 1 },
        { id: 'c', score: 1 },
        { id: 'd', score: 0 },
      ],
    ]);
    expect(fused).toEqual(
      new Map([
        ['a', 1 / 61],
        ['b', 1 / 62],
        ['c', 1 / 62],
        ['d', 1 / 64],
      ]),
    );
  });

  it('does not depend on the order of the rankings', () => {
    const [one, other] = [ranking('a', 'b', 'c'), ranking('c', 'b', 'd')];
    const sorted = (sums: Map<string, number>) => [...sums].sort();
    expect(sorted(fuseRankings([one, other]))).toEqual(sorted(fuseRankings([other, one])));
  });

  it('of nothing is nothing', () => {
    expect(fuseRankings([[], []]).size).toBe(0);
  });
});
