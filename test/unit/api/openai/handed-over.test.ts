import { proposeBudget } from '../../../../api/openai/handed-over';
import { NO_RUN_USAGE } from '../../../../src/contracts/runs/budgets';

const reached = { usage: NO_RUN_USAGE };

test.each([
  [
    'as much again',
    { limit: 'maxTokens', used: 5_010, limits: { maxTokens: 5_000 } },
    {},
    { maxTokens: 10_010 },
  ],
  [
    'one call, if there was none',
    { limit: 'maxToolCalls', used: 0, limits: { maxToolCalls: 0 } },
    {},
    { maxToolCalls: 1 },
  ],
  [
    'a sum without the errors of binary fractions',
    { limit: 'maxCostUsd', used: 0.1, limits: { maxCostUsd: 0.2 } },
    {},
    { maxCostUsd: 0.3 },
  ],
  [
    'what the settings allow',
    { limit: 'maxModelCalls', used: 3, limits: { maxModelCalls: 3 } },
    { maxModelCalls: 5 },
    { maxModelCalls: 5 },
  ],
  [
    'nothing at the limit of the settings',
    { limit: 'maxModelCalls', used: 5, limits: { maxModelCalls: 5 } },
    { maxModelCalls: 5 },
    undefined,
  ],
  [
    'nothing if it has used more than the settings allow',
    { limit: 'maxTokens', used: 1_200, limits: { maxTokens: 1_000 } },
    { maxTokens: 1_100 },
    undefined,
  ],
] as const)('an approval gives a run %s', (_, limit, ceilings, budget) => {
  expect(proposeBudget({ ...reached, ...limit }, ceilings)).toEqual(budget);
});
