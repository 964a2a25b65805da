import type { Answer } from '../support/http';
import { type ModelServer, says, startModelServer } from '../support/model-server';
import { type Service, startService } from '../support/service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { resultsOf } from '../support/workflow-steps';

let service: Service;
let peer: StubPeer;
let models: ModelServer;

const BUILTIN = [
  'calculate-over-fetched',
  'compare-endpoints',
  'fetch-and-extract',
  'fetch-each',
  'summarise-page',
  'weather-report',
];

const CURRENT = { time: '2026-03-26T16:15', temperature_2m: 18.5, weather_code: 3 };

beforeAll(async () => {
  models = await startModelServer();
  peer = await startStubPeer(({ path }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://peer');
    if (pathname === '/v1/search') {
      const name = searchParams.get('name');
      const found = { name, latitude: 1, longitude: 2, country: 'Germany', country_code: 'DE' };
      return sendJson(response, 200, name === 'Nowhere' ? {} : { results: [found] });
    }
    if (pathname === '/v1/forecast') return sendJson(response, 200, { current: CURRENT });
    if (pathname === '/total') return sendJson(response, 200, { total: 40, list: [{ name: 'Ada' }] });
    if (pathname === '/more') return sendJson(response, 200, { total: 42 });
    if (pathname === '/page') return void response.writeHead(200).end('A long page.');
    return sendJson(response, 404, {});
  });
  service = await startService({
    LOCAL_LLM_BASE_URL: models.url,
    WEATHER_FORECAST_URL: peer.url,
    WEATHER_GEOCODING_URL: peer.url,
  });
});

afterAll(async () => {
  await Promise.all([peer.close(), models.close()]);
  await service.stop();
});

const run = (workflowId: string, inputs: object): Promise<Answer> =>
  service.post('/api/workflow/execute-custom', { workflowId, inputs });
const resultOf = async (workflowId: string, inputs: object): Promise<Record<string, unknown>> =>
  resultsOf(await run(workflowId, inputs));

test('the list has every workflow, by id', async () => {
  const { status, body } = await service.get('/api/workflow/workflows');
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    data: { workflows: expect.any(Array) },
    message: 'Workflows retrieved successfully',
  });
  expect(body.data.workflows.map(({ id }: { id: string }) => id)).toEqual(BUILTIN);
  for (const workflow of body.data.workflows) {
    expect(workflow).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      description: expect.stringMatching(/\.$/),
      steps: expect.any(Number),
      estimatedTime: expect.stringMatching(/second/),
    });
  }
  expect((await service.get('/api/v1/workflow/workflows')).body).toEqual(body);
});

test.each(BUILTIN)('%s can be looked into', async (id) => {
  const { status, body } = await service.get(`/api/workflow/workflows/${id}`);
  expect(status).toBe(200);
  expect(body.message).toBe('Workflow retrieved successfully');
  expect(body.data).toMatchObject({ id, builtin: true, estimatedTime: expect.any(String) });
  expect(body.data.steps.length).toBeGreaterThan(0);
  for (const step of body.data.steps) {
    expect(step).toMatchObject({
      id: expect.any(String),
      name: expect.any(String),
      type: expect.stringMatching(/^(api_call|llm_call|tool_execution)$/),
      description: expect.any(String),
      config: expect.any(Object),
    });
  }
});

test('the detail has all that a step was stored with', async () => {
  const { body } = await service.get('/api/workflow/workflows/fetch-each');
  expect(body.data.steps[0]).toMatchObject({
    continueOnError: true,
    forEach: { items: '{{input.urls}}', concurrency: 5 },
  });
});

test('the detail tells what a workflow needs and takes', async () => {
  const { body } = await service.get('/api/workflow/workflows/calculate-over-fetched');
  expect(body.data.requiredTools).toEqual(['api_call', 'json_reader', 'calculator']);
  expect(body.data.inputs).toMatchObject({
    url: { required: true },
    operation: { required: false, default: 'multiply' },
  });
});

describe('run by its id', () => {
  test('calculate-over-fetched calculates with a number it fetched', async () => {
    const inputs = { url: `${peer.url}/total`, path: '$.total', by: 3 };
    expect(await resultOf('calculate-over-fetched', inputs)).toMatchObject({ calculate: 120 });
    expect(await resultOf('calculate-over-fetched', { ...inputs, operation: 'add' })).toMatchObject({
      calculate: 43,
    });
  });

  test('compare-endpoints tells the difference of two', async () => {
    const inputs = { first: `${peer.url}/total`, second: `${peer.url}/more`, path: '$.total' };
    expect(await resultOf('compare-endpoints', inputs)).toMatchObject({ difference: 2 });
  });

  test('fetch-and-extract reads a value', async () => {
    const inputs = { url: `${peer.url}/total`, path: '$.list[0].name' };
    expect(await resultOf('fetch-and-extract', inputs)).toMatchObject({ extract: { result: 'Ada' } });
  });

  test('fetch-each fetches all, and one that is no address leaves the others alone', async () => {
    const answer = await run('fetch-each', { urls: [`${peer.url}/total`, 'nowhere', `${peer.url}/more`] });
    expect(resultsOf(answer)['fetch']).toMatchObject([{ status: 200 }, null, { data: { total: 42 } }]);
    expect(answer.body.data.results.fetch.errors).toEqual([
      { index: 1, url: 'nowhere', code: 'TOOL_EXECUTION_FAILED', message: expect.any(String) },
    ]);
  });

  test('summarise-page has a page summarised, and skips what is not there', async () => {
    models.script(says('In short.'));
    expect(await resultOf('summarise-page', { url: `${peer.url}/page` })).toMatchObject({
      summarise: 'In short.',
    });
    expect(JSON.stringify(models.requests.at(-1)!.body.messages)).toContain('Summarise: A long page.');
    const missing = await run('summarise-page', { url: `${peer.url}/missing` });
    expect(missing.body.data.results.summarise).toMatchObject({ status: 'skipped', result: null });
    expect(models.requests).toHaveLength(1);
  });

  test('weather-report asks for every place in the units wanted', async () => {
    const answer = await run('weather-report', { places: ['Berlin', 'Nowhere'], units: 'imperial' });
    expect(resultsOf(answer)['weather']).toMatchObject([
      { location: 'Berlin', temperature: 18.5, units: { temperature: '°F' } },
      null,
    ]);
    expect(answer.body.data.results.weather.errors).toMatchObject([{ index: 1 }]);
    expect(await resultOf('weather-report', { places: ['Berlin'] })).toMatchObject({
      weather: [{ units: { temperature: '°C' } }],
    });
  });

  test('the run has the id in its own', async () => {
    const answer = await run('fetch-each', { urls: [] });
    expect(answer.headers.get('x-workflow-id')).toMatch(/^custom-workflow\/fetch-each\/[0-9A-Z]{26}$/);
  });

  test('it can be tried dry', async () => {
    const before = peer.requests.length;
    const { body } = await service.post('/api/workflow/execute-custom', {
      workflowId: 'fetch-and-extract',
      inputs: { url: `${peer.url}/total`, path: '$' },
      dryRun: true,
    });
    expect(body.data.steps[0].config.url).toBe(`${peer.url}/total`);
    expect(peer.requests).toHaveLength(before);
  });

  test.each([
    ['a missing input', { url: 'http://h/' }, 'inputs.path', /required/],
    ['an unknown input', { url: 'http://h/', path: '$', uri: 1 }, 'inputs.uri', /takes url, path/],
  ])('%s is refused', async (_problem, inputs, field, message) => {
    const { status, body } = await run('fetch-and-extract', inputs);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      message: 'Workflow validation failed',
      error: 'Invalid step configuration',
      details: { step: null, field, message: expect.stringMatching(message) },
    });
  });

  test('an input that makes a step wrong is refused by that step', async () => {
    const { status, body } = await run('fetch-and-extract', { url: 'nowhere', path: '$' });
    expect(status).toBe(400);
    expect(body.details).toMatchObject({ step: 'fetch', field: 'config.url' });
  });
});

test('an id that nobody stored is not found', async () => {
  const notFound = {
    success: false,
    message: 'Workflow not found',
    error: 'There is no workflow "nobody"',
  };
  for (const answer of [
    await service.get('/api/workflow/workflows/nobody'),
    await service.send('DELETE', '/api/workflow/workflows/nobody'),
    await run('nobody', {}),
  ]) {
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject(notFound);
  }
});
