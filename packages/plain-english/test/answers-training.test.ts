import { addedBy, sharesOf, type Tree } from '../src/facts/answers/trees';
import { boost } from '../training/answers/boost';
import { fitLists } from '../training/answers/fit';

const TREE: Tree = {
  feature: 'later',
  above: 0.5,
  then: -1,
  else: { feature: 'weight', above: -0.5, then: 2, else: 0.25 },
};

test.each([
  [{ later: 0.6 }, -1],
  [{ later: 0.5 }, 2],
  [{ weight: -0.5 }, 0.25],
  [{}, 2],
])('a tree adds by the features that are above its bounds: %j adds %d', (features, added) => {
  expect(addedBy([TREE], new Map(Object.entries(features)))).toBe(added);
});

/** The right candidate has one of two features, and the wrong one has both or neither: no sum of weights tells them apart. */
const LISTS = Array.from({ length: 60 }, (_, at) => ({
  candidates: [
    new Map([[at % 2 === 0 ? 'a' : 'b', 1]]),
    new Map(
      at % 3 === 0
        ? []
        : [
            ['a', 1],
            ['b', 1],
          ],
    ),
  ],
  right: [true, false],
}));
const OPTIONS = { trees: 40, rate: 0.3, minCandidates: 5 };

test('trees learn what weights cannot', () => {
  const weights = fitLists(LISTS, { l2: 0.01, iterations: 50 });
  const trees = boost(LISTS, weights, OPTIONS);
  const shares = (use: readonly Tree[]): number[] =>
    LISTS.map(({ candidates }) => sharesOf(candidates, weights, use)[0] ?? 0);
  expect(Math.min(...shares([]))).toBeLessThan(0.6);
  expect(Math.min(...shares(trees))).toBeGreaterThan(0.9);
});

test('the same lists give the same trees', () => {
  expect(boost(LISTS, {}, OPTIONS)).toEqual(boost(LISTS, {}, OPTIONS));
});

test('a branch has enough candidates on each side', () => {
  expect(boost(LISTS, {}, { ...OPTIONS, trees: 1, minCandidates: LISTS.length * 2 })).toEqual([
    expect.any(Number),
  ]);
});
