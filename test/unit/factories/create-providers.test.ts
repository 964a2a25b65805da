import { loadConfig } from '../../../src/settings/config';
import { createProviders } from '../../../src/factories/create-providers';
import { currentModel } from '../../../src/llm/model-providers';
import type { LlmProvider } from '../../../src/llm/provider';
import { type ModelServer, startModelServer } from '../../support/model-server';
import { context, HELLO } from '../llm/harness';

const builtin = { name: 'builtin', defaultModel: 'rules' } as LlmProvider;
const KEYED = { OPENAI_API_KEY: 'not-a-key' };
const LOCAL = { LOCAL_LLM_BASE_URL: 'http://127.0.0.1:1/v1' };

const create = (environment: Record<string, string>) => createProviders(loadConfig(environment), builtin);

test.each([
  [{}, 'builtin', ['builtin']],
  [KEYED, 'hosted', ['hosted', 'builtin']],
  [LOCAL, 'local', ['local', 'builtin']],
  [{ ...KEYED, ...LOCAL }, 'hosted', ['hosted', 'local', 'builtin']],
  [{ ...KEYED, ...LOCAL, LLM_PROVIDER: 'local' }, 'local', ['hosted', 'local', 'builtin']],
  [{ ...KEYED, LLM_PROVIDER: 'builtin' }, 'builtin', ['hosted', 'builtin']],
])('%j makes %s the default', (environment, name, list) => {
  const providers = create(environment);
  expect(providers.default).toBe(name);
  expect(providers.list()).toEqual(list);
  expect(providers.resolve().provider.name).toBe(name);
});

test.each([
  ['hosted', 'OPENAI_API_KEY'],
  ['local', 'LOCAL_LLM_BASE_URL'],
])('LLM_PROVIDER=%s without %s stops the start', (LLM_PROVIDER, setting) => {
  expect(() => create({ LLM_PROVIDER })).toThrow(
    expect.objectContaining({ code: 'CONFIGURATION', message: expect.stringContaining(setting) }),
  );
});

test('a key that no request could carry stops the start, and is not shown', () => {
  expect(() => create({ OPENAI_API_KEY: 'two\nlines' })).toThrow(
    expect.objectContaining({ code: 'CONFIGURATION', message: expect.not.stringContaining('lines') }),
  );
});

test.each([
  [undefined, 'hosted', 'gpt-5.4-mini'],
  ['hosted', 'hosted', 'gpt-5.4-mini'],
  ['local', 'local', 'llama3.1'],
  ['builtin', 'builtin', 'rules'],
  ['gpt-9', 'hosted', 'gpt-9'],
])('%s is answered by %s with %s', (asked, name, model) => {
  const resolved = create({ ...KEYED, ...LOCAL }).resolve(asked);
  expect(resolved.provider.name).toBe(name);
  expect(resolved.model).toBe(model);
});

test.each([
  ['hosted', 'OPENAI_API_KEY'],
  ['local', 'LOCAL_LLM_BASE_URL'],
] as const)('%s that is not configured names %s', (name, setting) => {
  const expected = expect.objectContaining({
    code: 'MODEL_NOT_CONFIGURED',
    message: expect.stringContaining(setting),
    details: { provider: name, setting },
  });
  expect(() => create({}).resolve(name)).toThrow(expected);
  expect(() => create({}).get(name)).toThrow(expected);
});

test('the builtin has no models to choose from, and takes any name', () => {
  const providers = create({ LLM_PROVIDER: 'builtin', ...KEYED });
  expect(providers.resolve('rules')).toEqual({ provider: builtin, model: 'rules' });
  expect(providers.resolve('gpt-9')).toEqual({ provider: builtin, model: 'rules' });
});

describe('settings reach the server', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
  });
  afterEach(() => server.close());

  test('of the hosted provider', async () => {
    const providers = create({ OPENAI_API_KEY: ' abc ', OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'm1' });
    await providers.get('hosted').chat(HELLO, context());
    expect(server.requests[0]!.headers.authorization).toBe('Bearer abc');
    expect(server.requests[0]!.body.model).toBe('m1');
  });

  test('and nothing else of the environment does', async () => {
    const stray = {
      OPENAI_ORG_ID: 'stray-org',
      OPENAI_ADMIN_KEY: 'stray-admin',
      OPENAI_API_KEY: 'stray-key',
      OPENAI_BASE_URL: 'http://127.0.0.1:1',
      OPENAI_CUSTOM_HEADERS: 'X-Custom: stray-header',
    };
    const before = { ...process.env };
    Object.assign(process.env, stray);
    try {
      await create({ LOCAL_LLM_BASE_URL: server.url }).get('local').chat(HELLO, context());
    } finally {
      process.env = before;
    }
    expect(JSON.stringify(server.requests[0]!.headers)).not.toContain('stray');
    expect(server.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  test('of the local provider', async () => {
    const settings = { LOCAL_LLM_BASE_URL: server.url, LOCAL_LLM_MODEL: 'm2', LOCAL_LLM_API_KEY: 'xyz' };
    await create(settings).get('local').chat(HELLO, context());
    expect(server.requests[0]!.headers.authorization).toBe('Bearer xyz');
    expect(server.requests[0]!.body.model).toBe('m2');
  });
});

describe('without the built-in rules', () => {
  const without = (environment: Record<string, string>) =>
    createProviders(loadConfig(environment), undefined);

  test('and without a model there is no provider, which is said with what would help', () => {
    const providers = without({});
    expect([providers.default, providers.list(), currentModel(providers)]).toEqual([undefined, [], 'none']);
    for (const model of [undefined, 'builtin', 'gpt-9']) {
      expect(() => providers.resolve(model)).toThrow(
        expect.objectContaining({
          code: 'MODEL_NOT_CONFIGURED',
          message: expect.stringMatching(/PLAIN_ENGLISH.*OPENAI_API_KEY.*LOCAL_LLM_BASE_URL/),
        }),
      );
    }
  });

  test('a model answers alone', () => {
    const providers = without(KEYED);
    expect([providers.default, providers.list()]).toEqual(['hosted', ['hosted']]);
    expect(currentModel(providers)).toBe('gpt-5.4-mini');
    expect(() => providers.resolve('builtin')).toThrow(
      expect.objectContaining({ code: 'MODEL_NOT_CONFIGURED' }),
    );
  });

  test('LLM_PROVIDER=builtin stops the start', () => {
    expect(() => without({ LLM_PROVIDER: 'builtin' })).toThrow(
      expect.objectContaining({ code: 'CONFIGURATION', message: expect.stringContaining('PLAIN_ENGLISH') }),
    );
  });
});
