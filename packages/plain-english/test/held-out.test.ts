import type { ToolDescription } from '../src/types';
import { countVerdicts, judgeCalls, judgeRequest, judgeValue, readLines } from './support/scoring';

const cases = (name: string): readonly never[] => readLines('held-out', `${name}.jsonl`);
const judgeAll = (name: string) => {
  const tools: readonly ToolDescription[] = cases(`${name}-offered`);
  return cases(name).map((one) => judgeCalls(one, tools));
};

/** The scores so far. A better one replaces them; of each set at most 2 % may be wrong. */
test.each([
  ['arithmetic', () => cases('arithmetic').map(judgeValue), { right: 55, refused: 145, wrong: 0 }],
  ['json', () => cases('json').map(judgeValue), { right: 51, refused: 150, wrong: 1 }],
  ['http', () => cases('http').map(judgeRequest), { right: 75, refused: 97, wrong: 1 }],
  ['tools', () => judgeAll('tools'), { right: 29, refused: 164, wrong: 0 }],
  ['sentences', () => judgeAll('sentences'), { right: 82, refused: 56, wrong: 1 }],
])('of the held-out set %s as many as before are understood', (_name, judge, expected) => {
  const counts = countVerdicts(judge());
  expect(counts).toEqual(expected);
  expect(counts.wrong / (counts.right + counts.refused + counts.wrong)).toBeLessThanOrEqual(0.02);
});
