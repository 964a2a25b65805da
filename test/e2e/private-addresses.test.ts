import { randomUUID } from 'node:crypto';
import { ask, initializeAgent } from '../support/agent';
import { apiCall } from '../support/calls';
import { classifyBatch, initializeIntents } from '../support/intents';
import { LEXICAL, newUser } from '../support/memories';
import { type Api, openStage, type Stage } from '../support/stage';
import { customBody, fetchStep } from '../support/workflow-steps';

/** An empty setting counts as absent. */
const ABSENT = { ...LEXICAL, EGRESS_ALLOW_PRIVATE: '' };
/** Listens beyond loopback, as a container does. */
const EVERYWHERE = { HOST: '0.0.0.0', ALLOW_PUBLIC: 'yes' };
const ALLOWED = { EGRESS_ALLOW_PRIVATE: 'true' };
const REFUSED = { EGRESS_ALLOW_PRIVATE: 'false' };

/** Requests whose runs ask an address that the caller names, by the first part of the path they ask for. */
const WAYS: Readonly<Record<string, (api: Api, url: string) => Promise<unknown>>> = {
  tool: (api, url) => api.post('/api/tools/execute', apiCall(url)),
  parallel: (api, url) => api.post('/api/tools/execute-multiple', { tools: [apiCall(url)] }),
  sequence: (api, url) => api.post('/api/tools/execute-sequential', { tools: [apiCall(url)] }),
  step: (api, url) => api.post('/api/workflow/execute-custom', customBody([fetchStep('one', url)])),
  sentence: (api, url) =>
    api.post('/api/tools/execute-with-llm', { toolName: 'api_call', query: `Fetch ${url}` }),
  mcp: (api, url) => api.post('/api/tools/mcp', { query: `Fetch ${url}` }),
  agent: (api, url) => ask(api, `Fetch ${url}`, { userId: newUser() }),
  // The address is a setting of the worker.
  weather: (api) => api.post('/api/tools/execute', { toolName: 'weather', args: { location: 'Oslo' } }),
  batch: async (api, url) => {
    // The request uses a host name, because the API itself refuses a private IP address.
    await initializeIntents(api, { localBaseUrl: url.replace('127.0.0.1', 'localhost') });
    // The built-in rules are not sure of it.
    const query = 'Tell me a long story about the sea';
    await classifyBatch(api, [{ id: '1', query, options: { maxRetries: 1 } }]);
  },
};

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** The names of the requests that reached the peer. */
async function reached(api: Api): Promise<string[]> {
  const before = stage.peer.requests.length;
  await initializeAgent(api);
  for (const [name, run] of Object.entries(WAYS)) await run(api, `${stage.peer.url}/${name}`);
  const asked = stage.peer.requests.slice(before).map(({ path }) => path.split('/')[1] ?? '');
  return Object.keys(WAYS).filter((name) => asked.includes(name));
}

async function stated(api: Api): Promise<unknown> {
  return (await api.get('/api/health/detailed')).body.data.egress;
}

const workerSettings = (): Record<string, string> => {
  const weather = `${stage.peer.url}/weather`;
  return { ...ABSENT, WEATHER_FORECAST_URL: weather, WEATHER_GEOCODING_URL: weather };
};

describe('API and worker as processes of their own', () => {
  let exposed: Api;
  let local: Api;
  let allowing: Api;

  beforeAll(async () => {
    [exposed, local, allowing] = await Promise.all([
      stage.api({ ...ABSENT, ...EVERYWHERE }),
      stage.api(ABSENT),
      stage.api({ ...ABSENT, ...EVERYWHERE, ...ALLOWED }),
    ]);
  });

  describe('and a worker that is told nothing', () => {
    beforeAll(async () => {
      await stage.worker(workerSettings());
    });

    test('refuse private addresses by default, wherever the API listens', async () => {
      expect(await reached(exposed)).toEqual([]);
      expect(await reached(local)).toEqual([]);
      const { status, text } = await exposed.post('/api/tools/execute', apiCall(`${stage.peer.url}/told`));
      expect(status).toBe(500);
      expect(text).toContain('is a loopback address, and this server is not set to allow');
    });

    test('reach them for the runs of an API that allows it, and for no others', async () => {
      expect(await reached(allowing)).toEqual(Object.keys(WAYS));
      expect(await reached(exposed)).toEqual([]);
    });

    test('state what holds for the runs of this API', async () => {
      expect(await stated(exposed)).toEqual({ privateAddresses: 'refused' });
      expect(await stated(local)).toEqual({ privateAddresses: 'refused' });
      expect(await stated(allowing)).toEqual({ privateAddresses: 'allowed' });
    });
  });

  test('a worker that is set to refuse them does, whatever the API allows', async () => {
    const TASK_QUEUE = `test-${randomUUID()}`;
    const [api] = await Promise.all([
      stage.api({ ...ABSENT, ...ALLOWED, TASK_QUEUE }),
      stage.worker({ ...workerSettings(), ...REFUSED, TASK_QUEUE }),
    ]);
    expect(await reached(api)).toEqual([]);
  });

  test('a worker that is set to allow them reaches none for a run that does not say so', async () => {
    const TASK_QUEUE = `test-${randomUUID()}`;
    const [api] = await Promise.all([
      stage.api({ ...ABSENT, TASK_QUEUE }),
      stage.worker({ ...workerSettings(), ...ALLOWED, TASK_QUEUE }),
    ]);
    expect(await reached(api)).toEqual([]);
  });
});

describe('everything in one process', () => {
  const start = (env: Record<string, string>): Promise<Api> =>
    stage.allInOne({ ...workerSettings(), TASK_QUEUE: `test-${randomUUID()}`, ...env });

  test('reaches private addresses by default while it can be reached from this machine alone', async () => {
    const api = await start({});
    expect(await reached(api)).toEqual(Object.keys(WAYS));
    expect(await stated(api)).toEqual({ privateAddresses: 'allowed' });
    expect(await api.process.line('tools may call private and loopback addresses')).toBeDefined();
  });

  test.each([
    ['listens beyond loopback', EVERYWHERE],
    ['answers under other names', { ALLOWED_HOSTS: 'app.example' }],
    ['is set to refuse them', REFUSED],
  ])('refuses them where it %s', async (_, env) => {
    const api = await start(env);
    expect(await reached(api)).toEqual([]);
    expect(await stated(api)).toEqual({ privateAddresses: 'refused' });
    expect(await api.process.line('tools may not call private and loopback addresses')).toBeDefined();
  });
});
