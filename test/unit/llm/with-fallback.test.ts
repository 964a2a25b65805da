import { HoldfastError } from '../../../src/base/errors';
import type { LlmProvider } from '../../../src/llm/provider';
import { withFallback } from '../../../src/llm/with-fallback';
import {
  callsTools,
  fails,
  type ModelServer,
  says,
  saysJson,
  startModelServer,
} from '../../support/model-server';
import { context, errorOf, HELLO, personSchema, providerOf, WEATHER } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const USAGE = { promptTokens: 2, completionTokens: 1, totalTokens: 3 };
const TOOLS = { ...HELLO, model: 'gpt-9', tools: [WEATHER], choice: 'auto' } as const;
const PERSON = { ...HELLO, schema: personSchema, schemaName: 'person' };
const REQUESTS = [{ id: 'r', toolName: 'weather', args: { city: 'Oslo' } }];

function builtinThat(overrides: Partial<LlmProvider>): LlmProvider {
  return { name: 'builtin', defaultModel: 'rules', ...overrides } as LlmProvider;
}

const answering = builtinThat({
  chooseTools: jest.fn(async () => ({
    provider: 'builtin' as const,
    model: 'rules',
    content: '',
    requests: REQUESTS,
    usage: USAGE,
  })),
});
const declining = (error: Error) =>
  builtinThat({ chooseTools: () => Promise.reject(error), structured: () => Promise.reject(error) });
const wrap = (builtin: LlmProvider) => withFallback(providerOf(server), builtin);

test('an invalid choice of tools is made good, and both are counted', async () => {
  server.otherwise(callsTools([{ name: 'teleport', args: {} }]));
  expect(await wrap(answering).chooseTools(TOOLS, context())).toEqual({
    provider: 'builtin',
    model: 'rules',
    content: '',
    requests: REQUESTS,
    usage: { promptTokens: 22, completionTokens: 11, totalTokens: 33 },
  });
  const [request, limit] = jest.mocked(answering.chooseTools).mock.calls[0]!;
  expect(request).not.toHaveProperty('model');
  expect(limit.timeoutMs).toBeLessThanOrEqual(10_000);
});

test('an invalid value is made good', async () => {
  server.otherwise(says('nonsense'));
  const value = { name: 'Ada', age: 36 };
  const structured = () =>
    Promise.resolve({ provider: 'builtin', model: 'rules', value, repaired: false, usage: USAGE });
  const llm = wrap(builtinThat({ structured: structured as unknown as LlmProvider['structured'] }));
  expect(await llm.structured(PERSON, context())).toMatchObject({
    value,
    provider: 'builtin',
    usage: { totalTokens: 33 },
  });
});

test.each(['MODEL_NOT_CONFIGURED', 'QUERY_NOT_UNDERSTOOD'] as const)(
  "where the builtin says %s, the provider's error stands",
  async (code) => {
    server.otherwise(says('nonsense'));
    const llm = wrap(declining(new HoldfastError(code, 'no')));
    expect(await errorOf(llm.structured(PERSON, context()))).toMatchObject({
      code: 'MODEL_OUTPUT_INVALID',
      details: { provider: 'hosted' },
    });
  },
);

test('a defect of the builtin is not hidden', async () => {
  server.otherwise(says('nonsense'));
  const defect = new TypeError('oops');
  expect(await errorOf(wrap(declining(defect)).structured(PERSON, context()))).toBe(defect);
});

test('other errors are passed on, and good answers are the provider’s', async () => {
  const llm = wrap(declining(new Error('must not be asked')));
  server.script(
    fails(400, { message: 'too long' }),
    saysJson({ name: 'Ada', age: 36 }),
    says('Hi'),
    says('Hi'),
  );
  expect(await errorOf(llm.chooseTools(TOOLS, context()))).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  expect(await llm.structured(PERSON, context())).toMatchObject({ provider: 'hosted' });
  expect(await llm.chat(HELLO, context())).toMatchObject({ content: 'Hi' });
  const onText = jest.fn();
  expect(await llm.chat(HELLO, { ...context(), onText })).toMatchObject({ content: 'Hi' });
  expect(onText).toHaveBeenCalledWith('Hi');
});

test('an abort while the builtin is at work is the abort', async () => {
  server.otherwise(says('nonsense'));
  const controller = new AbortController();
  const builtin = builtinThat({
    structured: () => {
      controller.abort('stopped');
      return Promise.reject(new HoldfastError('MODEL_NOT_CONFIGURED', 'no'));
    },
  });
  const outcome = errorOf(wrap(builtin).structured(PERSON, context({ signal: controller.signal })));
  expect(await outcome).toBe('stopped');
});
