import type { ModelPrice } from '../../../src/contracts/runs/budgets';
import type { RunEvent } from '../../../src/contracts/http/run-events';
import { sumByModel } from '../../../temporal/usage/model-usage';

const PRICES = {
  of: ({ model }: { readonly model: string }) => ({
    version: 'test',
    models: (model === 'known' ? { known: { input: 1, output: 10 } } : {}) as Record<string, ModelPrice>,
  }),
};

function call(model: string, promptTokens: number, changes: Partial<RunEvent> = {}): RunEvent {
  const usage = { promptTokens, completionTokens: 1, totalTokens: promptTokens + 1 };
  return { type: 'step.completed', model, usage, ...changes } as RunEvent;
}

test('the calls of a run are summed up by model, at the price that the run kept or at the one of now', () => {
  const events = [
    call('known', 1_000_000),
    call('known', 9, { costUsd: 0.5 }),
    call('unknown', 9),
    call('refused', 9, { costUsd: null }),
  ];
  expect(sumByModel(events, PRICES)).toEqual([
    {
      model: 'known',
      promptTokens: 1_000_009,
      completionTokens: 2,
      totalTokens: 1_000_011,
      costUsd: 1.50001,
      unpricedCalls: 0,
    },
    { model: 'unknown', promptTokens: 9, completionTokens: 1, totalTokens: 10, costUsd: 0, unpricedCalls: 1 },
    { model: 'refused', promptTokens: 9, completionTokens: 1, totalTokens: 10, costUsd: 0, unpricedCalls: 1 },
  ]);
});

test('steps without a model, and calls of the built-in rules, which use no tokens, count nothing', () => {
  const usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  expect(sumByModel([call('builtin', 0, { usage }), { type: 'step.completed' } as RunEvent], PRICES)).toEqual(
    [],
  );
});
