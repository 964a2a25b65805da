import { loadConfig } from '../../../src/settings/config';
import { HoldfastError } from '../../../src/base/errors';
import { createBuiltinProvider } from '../../support/rules';
import { measuredProvider } from '../../../src/llm/measured-provider';
import type { LlmProvider } from '../../../src/llm/provider';
import { type Metrics, NO_METRICS } from '../../../src/base/metrics';
import { countedFailures } from '../../../src/stores/counted-failures';
import { measuredRunner } from '../../../src/tools/measured-runner';
import type { ToolRunner } from '../../../src/tools/runner';

/** Metrics that store what is recorded, without times. */
function recorder(): { metrics: Metrics; recorded: unknown[][] } {
  const recorded: unknown[][] = [];
  const metrics: Metrics = {
    ...NO_METRICS,
    enabled: true,
    toolAttempt: ({ tool, outcome }) => recorded.push([tool, outcome]),
    modelCall: ({ provider, operation, outcome }) => recorded.push([provider, operation, outcome]),
    modelTokens: ({ kind, tokens }) => recorded.push([kind, tokens > 0]),
    storeFailed: (store) => recorded.push([store]),
  };
  return { metrics, recorded };
}

class Store {
  #reads = 0;
  async read(error?: Error): Promise<number> {
    await Promise.resolve();
    if (error) throw error;
    return (this.#reads += 1);
  }
  async *list(error?: Error): AsyncGenerator<number> {
    yield await this.read();
    if (error) throw error;
    yield await this.read();
  }
}

describe('failures of a store', () => {
  test('are counted where it was away, and nothing else is; it works as before', async () => {
    const { metrics, recorded } = recorder();
    const store = countedFailures(new Store(), 'records', metrics);
    const away = new HoldfastError('STORE_UNAVAILABLE', 'away', { retryable: true });
    await expect(store.read(away)).rejects.toBe(away);
    await expect(store.read(new HoldfastError('RECORD_NOT_FOUND', 'none'))).rejects.toThrow('none');
    await expect(store.read(new Error('a mistake'))).rejects.toThrow('a mistake');
    expect([await store.read(), await store.read()]).toEqual([1, 2]);
    expect(recorded).toEqual([['records']]);
  });

  test('are counted also where they come in the midst of a list, which may be left early', async () => {
    const { metrics, recorded } = recorder();
    const store = countedFailures(new Store(), 'values', metrics);
    const read = async (error?: Error): Promise<number[]> => {
      const found: number[] = [];
      for await (const one of store.list(error)) found.push(one);
      return found;
    };
    expect(await read()).toEqual([1, 2]);
    for await (const one of store.list(new Error('never'))) if (one > 0) break;
    await expect(read(new Error('a mistake'))).rejects.toThrow('a mistake');
    expect(recorded).toEqual([]);
    const away = new HoldfastError('STORE_UNAVAILABLE', 'away', { retryable: true });
    await expect(read(away)).rejects.toBe(away);
    expect(recorded).toEqual([['values']]);
  });

  test('nothing stands in between where nobody reads them', () => {
    const store = new Store();
    expect(countedFailures(store, 'records', NO_METRICS)).toBe(store);
  });
});

describe('attempts at tools', () => {
  const step = { toolName: 'calculator', implementation: { kind: 'builtin' } } as Parameters<
    ToolRunner['run']
  >[0];
  const attempt = { owner: { tenant: 'default' }, cancellation: new AbortController().signal, attempt: 1 };
  const failing = (error: Error): ToolRunner => ({ run: () => Promise.reject(error) });

  test.each([
    ['timed_out', new HoldfastError('TOOL_TIMEOUT', 'late')],
    ['failed', new HoldfastError('TOOL_EXECUTION_FAILED', 'no')],
    ['retried', new HoldfastError('TOOL_EXECUTION_FAILED', 'busy', { retryable: true })],
    ['failed', new Error('a mistake')],
  ])('%s: by how they end', async (outcome, error) => {
    const { metrics, recorded } = recorder();
    await expect(measuredRunner(failing(error), metrics).run(step, attempt)).rejects.toBe(error);
    expect(recorded).toEqual([['calculator', outcome]]);
  });

  test('cancelled, whatever they threw', async () => {
    const { metrics, recorded } = recorder();
    const cancelled = { owner: { tenant: 'default' }, cancellation: AbortSignal.abort(), attempt: 1 };
    await expect(measuredRunner(failing(new Error('x')), metrics).run(step, cancelled)).rejects.toThrow('x');
    expect(recorded).toEqual([['calculator', 'cancelled']]);
  });
});

describe('calls of a model', () => {
  const request = { messages: [{ role: 'user', content: 'add 1 and 2' }] } as Parameters<
    LlmProvider['chat']
  >[0];
  const context = { signal: new AbortController().signal, timeoutMs: 1_000 };

  test('with the tokens of an answer', async () => {
    const { metrics, recorded } = recorder();
    await measuredProvider(createBuiltinProvider(), metrics).chat(request, context);
    expect(recorded).toEqual([
      ['builtin', 'chat', 'answered'],
      ['prompt', true],
      ['completion', true],
    ]);
  });

  test.each([
    ['MODEL_TIMEOUT', 'timed_out'],
    ['MODEL_UNAVAILABLE', 'unavailable'],
    ['MODEL_OUTPUT_INVALID', 'invalid'],
    ['MODEL_UNKNOWN', 'failed'],
  ] as const)('%s is %s', async (code, outcome) => {
    const { metrics, recorded } = recorder();
    const error = new HoldfastError(code, 'no');
    const provider = { ...createBuiltinProvider(), chat: () => Promise.reject(error) };
    await expect(measuredProvider(provider, metrics).chat(request, context)).rejects.toBe(error);
    expect(recorded).toEqual([['builtin', 'chat', outcome]]);
  });
});

describe('headers for a collector', () => {
  const headersOf = (text: string) =>
    loadConfig({ OTEL_EXPORTER_OTLP_METRICS_HEADERS: text }).OTEL_EXPORTER_OTLP_METRICS_HEADERS;

  test('are pairs, their values decoded', () => {
    expect(headersOf('')).toEqual([]);
    expect(headersOf('authorization=Bearer%20a=b, x-tenant = t ,')).toEqual([
      ['authorization', 'Bearer a=b'],
      ['x-tenant', 't'],
    ]);
  });

  test.each(['novalue', '=hidden', 'key=%E0%A4'])(
    '%s is refused, without repeating what may be a secret',
    (text) => {
      expect(() => headersOf(text)).toThrow(
        expect.objectContaining({
          code: 'CONFIGURATION',
          message: expect.not.stringContaining(text),
        }),
      );
    },
  );
});
