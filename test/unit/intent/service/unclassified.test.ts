import type { IntentClassification } from '../../../../src/intent/service/classification';
import type { ErrorCode } from '../../../../src/base/error-codes';
import { HoldfastError } from '../../../../src/base/errors';
import { withUnclassifiedFallback } from '../../../../src/intent/service/create-intents';

const failing = (code: ErrorCode): IntentClassification =>
  withUnclassifiedFallback({
    classify: () => Promise.reject(new HoldfastError(code, `it ended with ${code}`)),
  });

test.each(['MODEL_NOT_CONFIGURED', 'CLASSIFICATION_FAILED', 'CLASSIFICATION_TIMEOUT'] as const)(
  'a query that ends with %s is taken for conversation, which says why',
  async (code) => {
    expect(await failing(code).classify('what is 6 times 7', {})).toEqual({
      intent: {
        type: 'conversation',
        confidence: 0,
        requiredTools: [],
        memoryContext: false,
        reasoning: 'The query was not classified.',
      },
      executionPlan: { steps: ['answer'], estimatedTime: expect.any(Number), complexity: 'simple' },
      metadata: {
        classificationTime: expect.any(Number),
        modelUsed: 'none',
        confidence: 0,
        fallback: `it ended with ${code}`,
        lowConfidence: true,
        alternatives: [],
      },
    });
  },
);

test('the reasoning is left out where it is not wanted', async () => {
  const { intent } = await failing('CLASSIFICATION_FAILED').classify('hello', { includeReasoning: false });
  expect(intent.reasoning).toBeUndefined();
});

test.each(['MODEL_UNKNOWN', 'STORE_UNAVAILABLE', 'INTENT_NOT_INITIALIZED'] as const)(
  'what is no lack of a classifier stays an error: %s',
  async (code) => {
    await expect(failing(code).classify('hello', {})).rejects.toMatchObject({ code });
  },
);

test('what is left of the budget of a run bounds the model here too', async () => {
  const classify = jest.fn(() => Promise.resolve('classified' as never));
  const { signal } = new AbortController();
  await withUnclassifiedFallback({ classify }).classify('Hello', {}, signal, { allowance: { tokens: 5 } });
  expect(classify).toHaveBeenCalledWith('Hello', {}, signal, { allowance: { tokens: 5 } });
});
