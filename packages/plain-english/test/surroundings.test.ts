import { INTENT_TYPES } from '../src/intents/intent-types';
import { weighSurroundings } from '../src/intents/surroundings';

test('what surrounds a query shifts its probabilities, less than the query itself', () => {
  const query = [0.4, 0.35, 0.1, 0.1, 0.05];
  const shifted = weighSurroundings(query, [0.05, 0.8, 0.05, 0.05, 0.05]);
  expect(shifted.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 10);
  expect(shifted[1]).toBeGreaterThan(shifted[0] ?? 1);
  const sure = weighSurroundings([0.96, 0.01, 0.01, 0.01, 0.01], [0.05, 0.8, 0.05, 0.05, 0.05]);
  expect(sure.indexOf(Math.max(...sure))).toBe(0);
  expect(shifted).toHaveLength(INTENT_TYPES.length);
});
