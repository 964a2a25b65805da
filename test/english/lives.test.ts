import { join } from 'node:path';
import { judge } from '../../bench/facts/life';
import { readLives, score } from '../../bench/facts/score';
import { answerByRulesAlone } from '../support/life-by-rules';

const FOLDER = join(__dirname, '..', '..', 'bench', 'facts', 'lives');

/** Measured. A change of the rules that makes them better raises the numbers that are right, and lowers the others. */
const MEASURED = {
  development: { lives: 360, right: 251, stale: 4, never: 8 },
  'held-out': { lives: 240, right: 130, stale: 10, never: 4 },
} as const;

describe('scripted lives, by the rules alone', () => {
  test.each(['development', 'held-out'] as const)('%s: no worse than measured', (half) => {
    const lives = readLives(half, FOLDER);
    const judged = lives.map((life) => ({ life, verdict: judge(life, answerByRulesAlone(life)) }));
    const all = score(judged).at(-1);
    const measured = MEASURED[half];
    expect(lives).toHaveLength(measured.lives);
    expect(all?.right).toBeGreaterThanOrEqual(measured.right);
    expect(all?.stale).toBeLessThanOrEqual(measured.stale);
    expect(all?.never).toBeLessThanOrEqual(measured.never);
  });
});
