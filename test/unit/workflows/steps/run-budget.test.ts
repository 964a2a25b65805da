import { ApplicationFailure } from '@temporalio/common';
import { Approvals } from '../../../../workflows/steps/approvals';
import { RunBudget } from '../../../../workflows/steps/run-budget';

const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };
const choice = { provider: 'hosted', model: 'm' } as const;

test('a last call that fails counts with what the model took for it', async () => {
  const budget = new RunBudget(
    {
      limits: { maxModelCalls: 0 },
      onExceeded: 'finish',
      prices: { version: '1', date: '2026-11-24', models: {} },
    },
    new Approvals(undefined),
  );
  const failure = ApplicationFailure.nonRetryable('withheld', 'MODEL_OUTPUT_INVALID', { usage });
  const call = budget.callLastModel(
    choice,
    () => Promise.reject(failure),
    () => undefined,
  );
  await expect(call).rejects.toBe(failure);
  expect(budget.usage).toMatchObject({ promptTokens: 10, completionTokens: 5, modelCalls: 1 });
});
