import { createKnownServer } from '../../../src/llm/discovery/known-server';
import { readServerFacts } from '../../../src/llm/discovery/server-facts';
import { type ModelServer, startModelServer } from '../../support/model-server';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const read = (model: string) =>
  readServerFacts({ baseUrl: server.url, apiKey: undefined }, model, AbortSignal.timeout(60_000));
const listOf = (...data: readonly object[]) => ({ '/v1/models': { object: 'list', data } });

/** What servers answer, in the fields that are read. */
const LLAMA_CPP = {
  ...listOf({ id: 'any.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 32_768 } }),
  '/props': { total_slots: 2, default_generation_settings: { n_ctx: 4_096 } },
};
const OLLAMA = listOf({ id: 'qwen3:latest', owned_by: 'library' });

test.each<[string, Record<string, object>, string, object]>([
  ['llama.cpp says', LLAMA_CPP, 'model', { contextTokens: 4_096, slots: 2 }],
  ['vLLM lists', listOf({ id: 'm', max_model_len: 8_192 }), 'm', { contextTokens: 8_192 }],
  [
    'OpenRouter lists',
    listOf({ id: 'm', context_length: 1_000 }, { id: 'n' }),
    'm',
    { contextTokens: 1_000 },
  ],
  ['a list has for another model alone', listOf({ id: 'm', context_length: 9 }, { id: 'n' }), 'n', {}],
  [
    'Ollama has loaded',
    { ...OLLAMA, '/api/ps': { models: [{ name: 'qwen3:latest', context_length: 4_096 }] } },
    'qwen3',
    { contextTokens: 4_096 },
  ],
  [
    'a model file of Ollama sets',
    { ...OLLAMA, '/api/show': { parameters: 'stop "<|im_end|>"\nnum_ctx                        16384' } },
    'qwen3',
    { contextTokens: 16_384 },
  ],
  [
    'Ollama has trained it for, which it may not load',
    { ...OLLAMA, '/api/show': { model_info: { 'qwen3.context_length': 40_960 } } },
    'qwen3',
    {},
  ],
  [
    'LM Studio has loaded',
    { ...listOf({ id: 'm' }), '/api/v0/models': { data: [{ id: 'm', loaded_context_length: 2_048 }] } },
    'm',
    { contextTokens: 2_048 },
  ],
  ['is no number', { '/props': { total_slots: 'x', default_generation_settings: { n_ctx: -1 } } }, 'm', {}],
])('the context that %s', async (_, answers, model, facts) => {
  server.tells(answers);
  expect(await read(model)).toMatchObject({ contextTokens: undefined, slots: undefined, ...facts });
});

test('models are listed in their order, and a server without a list has none', async () => {
  expect((await read('m')).models).toBeUndefined();
  server.tells(listOf({ id: 'b' }, { id: 'a' }));
  expect((await read('m')).models).toEqual(['b', 'a']);
});

test('what a server said is kept for five minutes, and what it left out for half a minute', async () => {
  let now = 0;
  const known = createKnownServer({ baseUrl: server.url, apiKey: undefined }, { now: () => now });
  const sizeAfter = async (milliseconds: number): Promise<number | undefined> => {
    now += milliseconds;
    return (await known.about('m')).contextTokens;
  };
  expect(await sizeAfter(0)).toBeUndefined();
  server.tells(listOf({ id: 'm', max_model_len: 1_000 }));
  expect(await sizeAfter(29_000)).toBeUndefined();
  expect(await sizeAfter(1_001)).toBe(1_000);
  server.tells(listOf({ id: 'm', max_model_len: 2_000 }));
  expect(await sizeAfter(299_000)).toBe(1_000);
  expect(await sizeAfter(1_001)).toBe(2_000);
});
