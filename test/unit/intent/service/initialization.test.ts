import { randomBytes } from 'node:crypto';
import { Agent } from 'undici';
import { loadConfig } from '../../../../src/settings/config';
import { createIntentInitialization } from '../../../../src/intent/service/initialization';
import { createBuiltinProvider } from '../../../support/rules';
import { createSecretBox } from '../../../../src/secrets/secret-box';
import { testStores } from '../../tools/registry-fixtures';

const dispatcher = new Agent();
const key = randomBytes(32);
let stores: ReturnType<typeof testStores>;
beforeEach(() => {
  stores = testStores();
});
afterEach(() => stores.dispose());
afterAll(() => dispatcher.close());

const initialization = (environment: Record<string, string> = {}, ownKey = key) =>
  createIntentInitialization({
    documents: stores.connect(),
    secrets: createSecretBox(ownKey),
    settings: loadConfig(environment),
    builtin: createBuiltinProvider(),
    dispatcher: () => dispatcher,
  });

test('before the first one there are no providers', async () => {
  await expect(initialization().providers()).rejects.toMatchObject({ code: 'INTENT_NOT_INITIALIZED' });
});

test('every process sees the latest one at once', async () => {
  const [first, second] = [initialization(), initialization()];
  await first.initialize({});
  expect((await second.providers()).default).toBe('builtin');
  await second.initialize({ hostedApiKey: 'sk-1', hostedModel: 'model-1' });
  const { provider, model } = (await first.providers()).resolve();
  expect([provider.name, model]).toEqual(['hosted', 'model-1']);
  await first.initialize({ localBaseUrl: 'http://127.0.0.1:9/v1' });
  expect((await second.providers()).default).toBe('local');
  await second.initialize({});
  expect((await first.providers()).default).toBe('builtin');
});

test('what is given goes before what is configured, which is taken where nothing is given', async () => {
  const configured = initialization({
    LLM_PROVIDER: 'builtin',
    OPENAI_API_KEY: 'sk-env',
    OPENAI_MODEL: 'env-model',
  });
  await configured.initialize({});
  expect((await configured.providers()).default).toBe('builtin');
  await configured.initialize({ hostedModel: 'other' });
  expect((await configured.providers()).resolve('hosted').model).toBe('other');
  await configured.initialize({ hostedApiKey: 'sk-own' });
  expect((await configured.providers()).resolve()).toMatchObject({ model: 'env-model' });
});

test('nothing readable of a key is stored, and another key of the service cannot open it', async () => {
  await initialization().initialize({ hostedApiKey: 'sk-very-secret' });
  const [stored] = await stores.connect().list('service-state');
  expect(JSON.stringify(stored)).not.toContain('very-secret');
  await expect(initialization({}, randomBytes(32)).providers()).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('SECRETS_KEY'),
  });
});
