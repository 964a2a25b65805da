import type { Answer } from '../support/http';
import {
  babbles,
  type Behaviour,
  callsTools,
  drops,
  fails,
  hangs,
  knowsNoModel,
  limitsRate,
  refusesKey,
  says,
  slowly,
} from '../support/model-server';
import {
  calculates,
  HOSTED_KEY,
  LOCAL_KEY,
  type OwnModelService,
  outcomesIn,
  startModelService,
  usage,
} from '../support/model-service';
import { type Service, startService } from '../support/service';
import { sendJson } from '../support/stub-peer';

const TIMEOUT_MS = 2_000;

let service: OwnModelService;

beforeAll(async () => {
  service = await startModelService({ LLM_TIMEOUT_MS: String(TIMEOUT_MS), LLM_MAX_ATTEMPTS: '2' });
});
afterAll(() => service.stop());
beforeEach(() => {
  service.hosted.reset();
  service.local.reset();
});

const ADD = callsTools([calculates('add', 2, 3)]);
/** A query that the rules could read; they never do in the place of a model. */
const QUERY = 'Add 2 and 3';
/** The three requests that ask a model. */
const REQUESTS: [string, object][] = [
  ['/api/tools/execute-with-llm', { query: QUERY, toolName: 'calculator' }],
  ['/api/tools/mcp', { query: QUERY }],
  ['/api/workflow/execute', { query: QUERY }],
];
const withModel = (model: string): Promise<Answer> =>
  service.post('/api/tools/mcp', { query: QUERY, options: { model } });

describe.each(REQUESTS)('POST %s', (path, body) => {
  const ask = (): Promise<Answer> => service.post(path, body);

  test.each<[string, Behaviour, number, string, RegExp, object]>([
    [
      'failing',
      fails(500, 'out of order'),
      503,
      'Model unavailable',
      /it answered 500.*2 attempts/,
      { provider: 'hosted' },
    ],
    [
      'overloaded',
      limitsRate('0'),
      503,
      'Model unavailable',
      /too many requests.*2 attempts/,
      { provider: 'hosted' },
    ],
    ['hanging up', drops(), 503, 'Model unavailable', /2 attempts/, { provider: 'hosted' }],
    ['babbling', babbles(), 503, 'Model unavailable', /not JSON/, { provider: 'hosted' }],
    ['refusing the key', refusesKey(), 503, 'Model unavailable', /OPENAI_API_KEY/, { provider: 'hosted' }],
    [
      'without the model',
      knowsNoModel(),
      400,
      'Unknown model',
      /hosted-model/,
      { provider: 'hosted', model: 'hosted-model' },
    ],
    [
      'calling what is not there',
      callsTools([{ name: 'teleport', args: {} }]),
      500,
      'Model output invalid',
      /teleport/,
      { provider: 'hosted', model: 'hosted-model', problem: expect.stringContaining('teleport') },
    ],
  ])('a provider that is %s is told as such', async (_case, behaviour, status, message, error, details) => {
    service.hosted.otherwise(behaviour);
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({
      success: false,
      message,
      error: expect.stringMatching(error),
      details: expect.objectContaining(details),
    });
    expect(answer.text).not.toContain(HOSTED_KEY);
    expect(answer.headers.get('x-trace-id')).toBeTruthy();
  });

  test('a model that does not answer is a timeout that names the limit, soon after it', async () => {
    service.hosted.otherwise(hangs());
    const answer = await ask();
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Model timeout',
      error: `The model "hosted-model" did not answer within ${TIMEOUT_MS} ms`,
      details: { provider: 'hosted', model: 'hosted-model', timeout: TIMEOUT_MS },
    });
    expect(service.hosted.requests).toHaveLength(1);
  });

  test('a provider that limits the rate for a moment is asked again, within the same step', async () => {
    service.hosted.script(limitsRate('0'), ADD, fails(503), says('Five.'));
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ llmUsage: { totalTokens: expect.any(Number) } });
    expect(answer.body.data.result ?? answer.body.data.finalResult).toBe(5);
  });
});

test('a wait that the provider asks for and that does not fit ends the step at once', async () => {
  service.hosted.otherwise(limitsRate('3600'));
  const answer = await withModel('hosted');
  // If a step had waited until its limit passed, it would have timed out instead.
  expect([answer.status, answer.body.message]).toEqual([503, 'Model unavailable']);
  expect(answer.headers.get('retry-after')).toBe('3600');
  expect(service.hosted.requests).toHaveLength(1);
});

test('an endless wait that the provider asks for does not end the worker', async () => {
  const steps = (retry: object) => ({
    workflow: { name: 'w', steps: [{ id: 'a', type: 'llm_call', config: { prompt: QUERY }, ...retry }] },
  });
  service.hosted.script(limitsRate('9'.repeat(400)));
  const endless = steps({ retry: { maximumAttempts: 2 } });
  expect((await service.post('/api/workflow/execute-custom', endless)).status).toBe(500);
  expect((await service.post('/api/workflow/execute-custom', steps({}))).status).toBe(200);
});

test('a model that is slow within the limit is waited for', async () => {
  service.hosted.script(slowly(800, ADD), slowly(800, says('Five.')));
  expect((await withModel('hosted')).body.data).toMatchObject({ finalResult: 5, llmUsage: usage(20, 10) });
});

test('each call has the whole limit', async () => {
  const slow = slowly(TIMEOUT_MS * 0.6, ADD);
  service.hosted.script(slow, slow, says('Five.'));
  expect((await withModel('hosted')).body.data).toMatchObject({ success: true, iterations: 2 });
});

test('the connection to a model that did not answer in time is let go', async () => {
  service.hosted.otherwise(hangs());
  await withModel('hosted');
  expect(service.hosted.requests.map(({ closed }) => closed)).toEqual([true]);
});

test('arguments that are invalid are corrected before anything runs', async () => {
  service.hosted.script(
    callsTools([{ name: 'calculator', args: '{"operation": ' }]),
    callsTools([calculates('add', 2, 3)]),
    says('Five.'),
  );
  const { body } = await withModel('hosted');
  expect(body.data).toMatchObject({ finalResult: 5, errors: [], iterations: 1, llmUsage: usage(30, 15) });
  expect(outcomesIn(service.hosted.requests[1])[0]).toContain('not a JSON object');
});

test('a server that wants back what it sent with a call gets it', async () => {
  const signed = { google: { thought_signature: 'c2lnbmVk' } };
  const call = {
    id: 'a',
    function: { name: 'calculator', arguments: '{"operation":"add","a":2,"b":3}' },
    extra_content: signed,
  };
  service.hosted.script((_request, response) =>
    sendJson(response, 200, {
      choices: [{ message: { content: null, reasoning_content: 'Add them.', tool_calls: [call] } }],
    }),
  );
  service.hosted.otherwise((request, response) => {
    const asked = request.body.messages.find(({ role }) => role === 'assistant');
    const isSentBack =
      JSON.stringify(asked).includes(JSON.stringify(signed)) && 'reasoning_content' in asked!;
    return (isSentBack ? says('Five.') : fails(400, { message: 'missing' }))(request, response);
  });
  expect((await withModel('hosted')).body.data).toMatchObject({ finalResult: 5, answer: 'Five.' });
});

test('a failure after tools have run keeps its code', async () => {
  service.hosted.script(ADD, fails(401));
  const answer = await service.post('/api/workflow/execute', { query: 'add and then some' });
  expect([answer.status, answer.body.message]).toEqual([503, 'Model unavailable']);
});

test.each([
  ['hosted', HOSTED_KEY, 'OPENAI_API_KEY'],
  ['local', LOCAL_KEY, 'LOCAL_LLM_API_KEY'],
] as const)(
  'the key of the %s provider is sent to it alone, and told to nobody',
  async (name, key, setting) => {
    const repeatsKey = fails(400, { message: `The request of ${key} (Bearer ${key}) is refused` });
    service[name].script(refusesKey(403), repeatsKey);
    const refused = await withModel(name);
    expect(refused.status).toBe(503);
    expect(refused.body.error).toContain(setting);
    const repeated = await withModel(name);
    expect(repeated.status).toBe(503);
    expect(refused.text + repeated.text).not.toContain(key);
    expect(service[name].requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(JSON.stringify(service.process.lines) + service.process.output()).not.toContain(key);
  },
);

describe('without any provider', () => {
  let bare: Service;
  beforeAll(async () => {
    bare = await startService({ LLM_PROVIDER: 'builtin' });
  });
  afterAll(() => bare.stop());

  test.each([
    ['hosted', 'OPENAI_API_KEY'],
    ['local', 'LOCAL_LLM_BASE_URL'],
  ])('a request for the %s one is told which setting is missing', async (model, setting) => {
    for (const [path, body] of REQUESTS) {
      const answer = await bare.post(path, { ...body, options: { model } });
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({
        success: false,
        message: 'Model not configured',
        error: expect.stringContaining(setting),
        details: { provider: model, setting },
      });
    }
  });
});

test('a server that is not there is told with the setting of its address', async () => {
  const lost = await startService({
    LOCAL_LLM_BASE_URL: 'http://127.0.0.1:9/v1',
    LLM_MAX_ATTEMPTS: '1',
  });
  try {
    const answer = await lost.post('/api/tools/mcp', { query: QUERY });
    expect([answer.status, answer.body.message]).toEqual([503, 'Model unavailable']);
    expect(answer.body.details).toMatchObject({ provider: 'local' });
  } finally {
    await lost.stop();
  }
});
