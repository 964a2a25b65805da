import { HoldfastError } from '../../../../src/base/errors';
import { askWithRetries } from '../../../../src/intent/service/attempts';
import type { LlmProvider } from '../../../../src/llm/provider';
import { OutputInvalidError } from '../../../../src/llm/answer-errors';

const used = (tokens: number) => ({ promptTokens: tokens, completionTokens: 0, totalTokens: tokens });

function ask(
  structured: (attempt: number, signal: AbortSignal) => Promise<never>,
): ReturnType<typeof askWithRetries> {
  let attempts = 0;
  const provider = {
    name: 'hosted',
    structured: (_request: unknown, { signal }: { signal: AbortSignal }) =>
      structured((attempts += 1), signal),
  } as unknown as LlmProvider;
  return askWithRetries({
    provider,
    model: 'm',
    query: 'hello',
    tools: [],
    options: { fallback: true, timeout: 1_000, maxRetries: 3 },
    signal: new AbortController().signal,
  });
}

test('a classification by rules counts the tokens of all attempts, also of one that its time cut off', async () => {
  const asked = await ask((attempt, signal) => {
    const about = { provider: 'hosted' as const, model: 'm', problem: 'no JSON' };
    if (attempt === 1) return Promise.reject(new OutputInvalidError({ ...about, usage: used(100) }));
    return new Promise((_, reject) => {
      const details = { usage: used(20) };
      signal.addEventListener('abort', () =>
        setImmediate(() => reject(new HoldfastError('MODEL_TIMEOUT', 'late', { details }))),
      );
    });
  });
  expect(asked).toMatchObject({ metadata: { retries: 1, usage: used(120) } });
});
