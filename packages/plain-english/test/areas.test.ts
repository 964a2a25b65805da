import { AREAS, scoreArea, scoreAreaFile, type Area } from './support/area-scoring';

/** The scores of the held-out sets: how many are right at least, and how many are wrong at most. A better score replaces them. */
const HELD_OUT: Readonly<Record<Area, { readonly right: number; readonly wrong: number }>> = {
  arithmetic: { right: 148, wrong: 5 },
  tools: { right: 145, wrong: 21 },
  json: { right: 179, wrong: 7 },
  http: { right: 160, wrong: 6 },
  memory: { right: 90, wrong: 5 },
};

test.each(AREAS)('of the held-out sentences about %s as many as before are understood', (area) => {
  const { right, wrong } = scoreArea(area, 'held-out');
  expect(right).toBeGreaterThanOrEqual(HELD_OUT[area].right);
  expect(wrong).toBeLessThanOrEqual(HELD_OUT[area].wrong);
});

test.each([
  ['arithmetic.json', 419, 1],
  ['arithmetic-third.json', 143, 1],
  ['arithmetic-fourth.json', 122, 5],
])('of the stories in %s as many as before are understood', (file, least, most) => {
  const { right, wrong } = scoreAreaFile('arithmetic', file);
  expect(right).toBeGreaterThanOrEqual(least);
  expect(wrong).toBeLessThanOrEqual(most);
});
