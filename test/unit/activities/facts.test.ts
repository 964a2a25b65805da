import { createFactActivities } from '../../../activities/facts';
import { HoldfastError } from '../../../src/base/errors';
import type { DrawFactsInput } from '../../../src/contracts/runs/facts';
import type { LlmProvider } from '../../../src/llm/provider';
import type { SpendingLedger } from '../../../src/llm/spending-ledger';
import type { DrawnFact } from '../../../src/memory/facts/model/ask';
import { inActivity } from '../../support/activity-context';
import { drawn } from '../../support/fact-model';
import { NO_LEDGER } from '../../support/spending';
import { usage } from '../../support/model-service';
import { OutputInvalidError } from '../../../src/llm/answer-errors';

const INPUT: DrawFactsInput = { owner: 'o', choice: { provider: 'local', model: 'm' }, timeoutMs: 1_000 };
const MEMORY = { userId: 'ada', sessionId: 's', memoryId: 'm1', at: 1 };
const FACT = drawn('I live in Leeds', { value: 'Leeds' });

interface Given {
  readonly structured: () => Promise<unknown>;
  readonly maxCostUsd?: number;
  readonly ledger?: SpendingLedger;
}

/** Draws the facts of one memory. @returns what became of it, the facts that the model gave, and what was counted */
async function draw({ structured, maxCostUsd, ledger = NO_LEDGER }: Given, input = INPUT) {
  const asked = jest.fn(structured);
  const counted: unknown[] = [];
  let given: readonly DrawnFact[] = [];
  const { drawNextFacts } = createFactActivities({
    provider: () => ({ name: 'local', structured: asked }) as unknown as LlmProvider,
    ledger,
    sharedLimits: () => (maxCostUsd === undefined ? [] : [{ user: 'u', period: 'day', maxCostUsd }]),
    metrics: { modelFacts: (of) => void counted.push(of) },
    facts: {
      async drawNext(_owner, ask) {
        given = await ask(MEMORY, 'I live in Leeds');
        return { drawn: given.length, refused: { value: 2 } };
      },
    },
  });
  const step = await inActivity(() => drawNextFacts(input));
  return { step, given, counted, calls: asked.mock.calls.length };
}
const answers = (provider: string) => () =>
  Promise.resolve({ value: { facts: [FACT] }, repaired: false, provider, model: 'm', usage: usage(7, 3) });

test('the facts of a model are passed on, and counted with its tokens', async () => {
  expect(await draw({ structured: answers('local') })).toEqual({
    step: { read: true, drawn: 1, refused: { value: 2 }, usage: usage(7, 3) },
    given: [FACT],
    counted: [
      { outcome: 'drawn', facts: 1 },
      { outcome: 'value', facts: 2 },
    ],
    calls: 1,
  });
});

test('what the rules find in the memory is no fact of a model', async () => {
  const { step, given } = await draw({ structured: answers('builtin') });
  expect([given, step.failed]).toEqual([[], 'MODEL_OUTPUT_INVALID']);
});

test('a model that fails leaves the rules alone, and its tokens count', async () => {
  const problem = { provider: 'local', model: 'm', problem: 'no JSON', usage: usage(5, 5) } as const;
  const invalid = await draw({ structured: () => Promise.reject(new OutputInvalidError(problem)) });
  expect(invalid.step).toMatchObject({ failed: 'MODEL_OUTPUT_INVALID', usage: usage(5, 5) });
  const away = new HoldfastError('MODEL_UNAVAILABLE', 'it is away', { retryable: true });
  const { step } = await draw({ structured: () => Promise.reject(away) });
  expect(step).toMatchObject({ read: true, failed: 'MODEL_UNAVAILABLE', usage: usage(0, 0) });
});

test('a fault that is not of the model fails the step', async () => {
  const away = new HoldfastError('STORE_UNAVAILABLE', 'it is away', { retryable: true });
  await expect(draw({ structured: () => Promise.reject(away) })).rejects.toBe(away);
});

test('a limit of costs that cannot be kept, or has no room, means that no model is asked', async () => {
  const full: SpendingLedger = {
    reserve: (limits, decide) => {
      decide(limits.map((limit) => ({ ...limit, tokens: Infinity, costUsd: 0 })));
      return Promise.reject(new Error('the limit has room'));
    },
  };
  const unpriced = await draw({ structured: answers('local'), maxCostUsd: 1 });
  expect([unpriced.step.failed, unpriced.calls]).toEqual(['BUDGET_EXHAUSTED', 0]);
  const priced = { ...INPUT, price: { input: 1, output: 1 } };
  const exhausted = await draw({ structured: answers('local'), maxCostUsd: 1, ledger: full }, priced);
  expect([exhausted.step.failed, exhausted.calls]).toEqual(['BUDGET_EXHAUSTED', 0]);
});
