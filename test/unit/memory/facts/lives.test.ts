import { join } from 'node:path';
import { judgeAll, readLives, score } from '../../../../bench/facts/score';
import { answerByRulesAlone } from '../../../support/life-by-rules';

const FOLDER = join(__dirname, '..', '..', '..', '..', 'bench', 'facts', 'lives');

/** Measured, of 120 lives each. A change of the rules that makes them better raises them. */
const MEASURED = {
  development: { right: 88, stale: 6, never: 1 },
  'held-out': { right: 16, stale: 27, never: 1 },
} as const;

describe('scripted lives, by the rules alone', () => {
  test.each(['development', 'held-out'] as const)('%s: no worse than measured', (half) => {
    const lives = readLives(half, FOLDER);
    expect(lives).toHaveLength(120);
    const all = score(judgeAll(lives, answerByRulesAlone)).at(-1);
    const measured = MEASURED[half];
    expect(all?.right).toBeGreaterThanOrEqual(measured.right);
    expect(all?.stale).toBeLessThanOrEqual(measured.stale);
    expect(all?.never).toBeLessThanOrEqual(measured.never);
  });
});
