import { fails, saysJson } from '../support/model-server';
import type { ModelScenario } from './model-scenarios';

/** Batches of classifications: one part and several, in parallel and in sequence, with failures. */
export function intentScenarios(): ModelScenario[] {
  const batch = (
    name: string,
    queries: readonly object[],
    options: object,
    ...model: ModelScenario['model']
  ): ModelScenario => ({
    name: `classifyBatch-${name}`,
    path: '/api/intent-classifier/classify-batch',
    body: { queries, options },
    model,
  });
  const rules = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      id: `q${n}`,
      query: `what is ${n} times 7`,
      options: { model: 'builtin' },
    }));
  const answer = saysJson({ type: 'conversation', confidence: 0.9 });
  const once = { maxRetries: 1 };
  return [
    batch('at-once', rules(120), { maxConcurrency: 2 }),
    batch('one-after-another', rules(70), { parallel: false }),
    batch(
      'problems',
      [
        { id: 'a', query: 'hello' },
        { id: 'b', query: 7 },
        { id: 'c', query: 'hello again', options: once },
      ],
      { parallel: false },
      answer,
      fails(500),
    ),
  ];
}
