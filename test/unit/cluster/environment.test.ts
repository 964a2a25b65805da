import { buildServicesEnvironment } from '../../../cluster/services/environment';
import { loadConfig } from '../../../src/settings/config';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

const ENGINE = { address: '127.0.0.1:7233', uiUrl: 'http://127.0.0.1:8233' };

let dir: TempDir;
beforeEach(() => (dir = makeTempDir()));
afterEach(() => dir.remove());

const buildEnvironment = (settings: Record<string, string>, engine?: typeof ENGINE) =>
  buildServicesEnvironment(loadConfig({ DATA_DIR: dir.path, ...settings }), engine, {
    NEO4J_URI: 'bolt://own',
  });

test('services are told where the own servers are, and in which namespace', async () => {
  expect(await buildEnvironment({}, ENGINE)).toMatchObject({
    TEMPORAL_ADDRESS: ENGINE.address,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_UI_URL: ENGINE.uiUrl,
    NEO4J_URI: 'bolt://own',
    DATA_DIR: dir.path,
  });
  expect(await buildEnvironment({ TEMPORAL_NAMESPACE: 'lab' }, ENGINE)).toMatchObject({
    TEMPORAL_NAMESPACE: 'lab',
  });
});

test('of another engine they are told what the settings say and no more, as a profile has its own namespace', async () => {
  const byProfile = await buildEnvironment({ TEMPORAL_PROFILE: 'prod' });
  expect(byProfile).toMatchObject({ TEMPORAL_PROFILE: 'prod' });
  for (const name of ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_UI_URL'])
    expect(byProfile).not.toHaveProperty(name);
  expect(await buildEnvironment({ TEMPORAL_ADDRESS: 'there:7233', TEMPORAL_NAMESPACE: 'lab' })).toMatchObject(
    {
      TEMPORAL_ADDRESS: 'there:7233',
      TEMPORAL_NAMESPACE: 'lab',
    },
  );
});

test('TLS and credentials of Temporal are for another engine, and the own one has neither', async () => {
  const secured = {
    TEMPORAL_API_KEY: 'key',
    TEMPORAL_TLS: 'true',
    TEMPORAL_TLS_SERVER_NAME: 'temporal.example',
    TEMPORAL_GRPC_META_TOKEN: 'token',
  };
  const own = await buildEnvironment(secured, ENGINE);
  for (const name of Object.keys(secured)) expect(own).not.toHaveProperty(name);
  expect(await buildEnvironment({ ...secured, TEMPORAL_ADDRESS: 'there:7233' })).toMatchObject(secured);
});

test("all have one key, which is the folder's", async () => {
  const [first, second] = [await buildEnvironment({}), await buildEnvironment({})];
  expect(first['SECRETS_KEY']).toMatch(/^[0-9a-f]{64}$/);
  expect(second['SECRETS_KEY']).toBe(first['SECRETS_KEY']);
});
