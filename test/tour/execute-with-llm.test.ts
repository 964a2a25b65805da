import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/http';
import { callsTools, fails, says } from '../support/model-server';
import { calculates, type ModelService, offeredIn, outcomesIn, usage } from '../support/model-service';
import { useModelService } from '../support/use-service';

let service: ModelService;

beforeAll(async () => {
  service = await useModelService();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.hosted.reset();
  service.local.reset();
});

const ask = (body: object, headers?: Record<string, string>): Promise<Answer> =>
  service.post('/api/tools/execute-with-llm', { query: 'add two and three', ...body }, headers);
const calculate = (more = {}): Promise<Answer> => ask({ toolName: 'calculator', ...more });
const ADD = calculates('add', 2, 3);

describe('POST /api/tools/execute-with-llm', () => {
  test('runs the tool with the arguments that the model takes out of the sentence', async () => {
    service.hosted.script(callsTools([ADD]));
    const answer = await calculate();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: {
        result: 5,
        executionTime: expect.any(Number),
        toolName: 'calculator',
        extractedArgs: ADD.args,
        usage: { promptTokens: 10, completionTokens: 5, costUsd: null, modelCalls: 1, toolCalls: 1 },
        llmUsage: usage(10, 5),
        provider: 'hosted',
        model: 'hosted-model',
      },
      message: 'Tool executed with LLM successfully',
    });
    expect(service.hosted.requests).toHaveLength(1);
    expect(service.local.requests).toEqual([]);
  });

  test('offers the model this tool alone, requires a call of it, and passes the sentence on', async () => {
    service.hosted.script(callsTools([ADD]));
    await calculate();
    const [request] = service.hosted.requests;
    expect(offeredIn(request)).toEqual(['calculator']);
    expect(request?.body).toMatchObject({ model: 'hosted-model', tool_choice: 'required' });
    expect(request?.body.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'add two and three' },
    ]);
    expect(request?.body).toMatchObject({ max_completion_tokens: 1_024 });
    expect(request?.body).not.toHaveProperty('temperature');
  });

  test('runs a registered tool, its lines included', async () => {
    const name = 'shop.greet';
    const source = 'console.log("greeting"); return "hello " + args.name';
    await service.post('/api/tools/register', { name, parameters: { name: 'string' }, execute: source });
    service.hosted.script(callsTools([{ name: 'shop_greet', args: { name: 'Ada' } }]));
    const { body } = await ask({ toolName: name, query: 'greet Ada' });
    expect(body.data).toMatchObject({
      result: 'hello Ada',
      toolName: name,
      extractedArgs: { name: 'Ada' },
      logs: ['greeting'],
    });
    expect(offeredIn(service.hosted.requests[0])).toEqual(['shop_greet']);
  });

  test('lets the model correct arguments once, and counts both answers', async () => {
    service.hosted.script(callsTools([calculates('add', 2, 'three')]), callsTools([ADD]));
    const { status, body } = await calculate();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ result: 5, extractedArgs: ADD.args, llmUsage: usage(20, 10) });
    expect(outcomesIn(service.hosted.requests[1])[0]).toMatch(/args\.b must be a finite number/);
  });

  test('names the argument that is still missing after the second answer, and runs nothing', async () => {
    const before = (await service.get('/api/tools/stats')).body.data.totalExecutions;
    service.hosted.otherwise(callsTools([{ name: 'calculator', args: { operation: 'add', a: 2 } }]));
    const answer = await calculate();
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Model output invalid',
      error: expect.stringContaining('args.b is required'),
      details: {
        provider: 'hosted',
        model: 'hosted-model',
        problem: expect.stringContaining('args.b'),
        usage: usage(20, 10),
      },
    });
    expect(service.hosted.requests).toHaveLength(2);
    expect((await service.get('/api/tools/stats')).body.data.totalExecutions).toBe(before);
  });

  test('takes no answer in words for a call, also where the rules could read the sentence', async () => {
    service.hosted.otherwise(says('That makes five.'));
    const answer = await calculate({ query: 'add 2 and 3' });
    expect([answer.status, answer.body.message]).toEqual([500, 'Model output invalid']);
    expect(service.hosted.requests).toHaveLength(2);
  });

  test('makes one call, not several', async () => {
    service.hosted.script(callsTools([ADD, calculates('add', 4, 5)]));
    const answer = await calculate();
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Query not understood',
      error: expect.stringContaining('2 calls of "calculator"'),
      details: { field: 'query', message: expect.any(String) },
    });
  });

  test('a tool that fails answers as it does when it is run directly', async () => {
    service.hosted.script(callsTools([calculates('divide', 1, 0)]));
    const answer = await calculate({ query: 'divide one by nothing' });
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Tool execution failed',
      error: expect.stringMatching(/division by zero/i),
      details: { toolName: 'calculator', args: { operation: 'divide', a: 1, b: 0 } },
    });
  });

  test('a tool that is only a definition says that it cannot be run', async () => {
    await service.post('/api/tools/register', { name: 'paper', parameters: { n: 'number' } });
    service.hosted.script(callsTools([{ name: 'paper', args: { n: 1 } }]));
    const answer = await ask({ toolName: 'paper' });
    expect([answer.status, answer.body.message]).toEqual([500, 'Tool execution failed']);
    expect(answer.body.error).toContain('without an implementation');
    expect(answer.body.details).toEqual({ toolName: 'paper', args: { n: 1 } });
  });

  test('an unknown tool is not found, and no model is asked', async () => {
    const answer = await ask({ toolName: 'nobody' });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Tool not found',
      error: expect.stringContaining('nobody'),
    });
    expect(service.hosted.requests).toEqual([]);
  });

  test('a repeat with the same key gets the first answer without asking the model again', async () => {
    service.hosted.script(callsTools([ADD]), callsTools([calculates('add', 40, 2)]));
    const headers = { 'idempotency-key': randomUUID() };
    const first = await ask({ toolName: 'calculator' }, headers);
    const repeat = await ask({ toolName: 'calculator' }, headers);
    expect(first.body.data.result).toBe(5);
    expect(repeat.body).toEqual(first.body);
    expect(service.hosted.requests).toHaveLength(1);
    const other = await ask({ toolName: 'calculator', query: 'add two and four' }, headers);
    expect(other.status).toBe(409);
  });
});

describe('the options', () => {
  test('reach the model', async () => {
    service.hosted.script(callsTools([ADD]));
    const options = { model: 'gpt-9', temperature: 0.25, topP: 0.5, maxTokens: 77 };
    const { body } = await calculate({ options });
    expect(body.data).toMatchObject({ provider: 'hosted', model: 'gpt-9' });
    expect(service.hosted.requests[0]?.body).toMatchObject({
      model: 'gpt-9',
      temperature: 0.25,
      top_p: 0.5,
      max_completion_tokens: 77,
    });
  });

  test.each([
    ['local', 'local-model'],
    ['hosted', 'hosted-model'],
  ] as const)('model %s is that provider and its own model', async (provider, model) => {
    service[provider].script(callsTools([ADD]));
    const { body } = await calculate({ options: { model: provider } });
    expect(body.data).toMatchObject({ result: 5, provider, model });
    expect(service[provider].requests[0]?.body.model).toBe(model);
    const other = provider === 'local' ? service.hosted : service.local;
    expect(other.requests).toEqual([]);
  });

  test('a model with the longest name allowed, in any script, can be asked', async () => {
    service.hosted.script(callsTools([ADD]));
    const model = '模'.repeat(200);
    const { status, body } = await calculate({ options: { model } });
    expect([status, body.data?.model]).toEqual([200, model]);
  });

  test('timeout limits the tool, and is named', async () => {
    const source = 'const end = Date.now() + 20_000; while (Date.now() < end); return 1';
    await service.post('/api/tools/register', { name: 'lasting', execute: source });
    service.hosted.script(callsTools([{ name: 'lasting', args: {} }]));
    const answer = await ask({ toolName: 'lasting', options: { timeout: 300 } });
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      message: 'Tool execution timeout',
      error: expect.stringContaining('options.timeout'),
      details: { toolName: 'lasting', timeout: 300 },
    });
  });
});

describe('a request that is not valid is refused before anything is asked', () => {
  const options = (value: object) => ({ query: 'x', toolName: 'calculator', options: value });
  test.each([
    ['no query', { toolName: 'calculator' }, 'query', 'query is required'],
    ['an empty query', { query: '', toolName: 'calculator' }, 'query', 'must not be empty'],
    ['a query of blanks', { query: ' \n\t', toolName: 'calculator' }, 'query', 'must not be empty'],
    ['a query that is no text', { query: 7, toolName: 'calculator' }, 'query', expect.any(String)],
    ['a query beyond all bounds', { query: 'x'.repeat(10_001), toolName: 'calculator' }, 'query', /10000/],
    ['no tool', { query: 'x' }, 'toolName', 'toolName is required'],
    ['an empty tool', { query: 'x', toolName: '' }, 'toolName', 'must not be empty'],
    ['a temperature above 1', options({ temperature: 1.5 }), 'options.temperature', expect.any(String)],
    ['an empty model', options({ model: '' }), 'options.model', expect.any(String)],
    ['no limit at all', options({ timeout: 0 }), 'options.timeout', expect.any(String)],
  ])('%s', async (_case, body, field, message) => {
    const answer = await service.post('/api/tools/execute-with-llm', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Validation error',
      error: 'Invalid input data',
      details: { field, message: message instanceof RegExp ? expect.stringMatching(message) : message },
    });
    expect(service.hosted.requests).toEqual([]);
  });
});

test('a model that refuses the request itself is unavailable, in its own words', async () => {
  service.hosted.script(fails(400, { message: 'This model takes no tools' }));
  const answer = await calculate();
  expect([answer.status, answer.body.message]).toEqual([503, 'Model unavailable']);
  expect(answer.body.error).toContain('This model takes no tools');
  expect(service.hosted.requests).toHaveLength(1);
});
