import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/http';
import { type Behaviour, callsTools, says } from '../support/model-server';
import {
  calculates,
  fetches,
  type ModelService,
  offeredIn,
  outcomesIn,
  startModelService,
  usage,
} from '../support/model-service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';

let service: ModelService;
let peer: StubPeer;

beforeAll(async () => {
  service = await startModelService({ PLANNER_MAX_REPLANS: '1', PLANNER_MAX_ITERATIONS: '4' });
  peer = await startStubPeer(({ path }, response) => {
    if (path === '/long') return sendJson(response, 200, { text: `${'x'.repeat(60_000)}the end` });
    if (path.startsWith('/faces')) return sendJson(response, 200, `${path}${'😀'.repeat(20_000)}`);
    sendJson(response, 200, { path, items: [{ id: 7 }] });
  });
});
afterAll(async () => {
  await peer.close();
  await service.stop();
});
beforeEach(() => {
  service.hosted.reset();
  service.local.reset();
});

const ADD = calculates('add', 1, 1);
const DIVIDE = calculates('divide', 1, 0);

/** Both endpoints of one loop. They differ in their names and in how they report a tool that failed. */
const ENDPOINTS = [
  {
    path: '/api/tools/mcp',
    type: 'mcpExecution',
    completed: 'MCP execution completed successfully',
    failed: 'Tool execution failed',
    errorOf: () => '',
    detailsOf: (stepNumber: number) => ({ toolName: 'calculator', args: DIVIDE.args, stepNumber }),
  },
  {
    path: '/api/workflow/execute',
    type: 'queryWorkflow',
    completed: 'Workflow executed successfully',
    failed: 'Workflow execution failed',
    errorOf: (stepNumber: number) => `Step ${stepNumber} \\(calculator\\) failed: `,
    detailsOf: (stepNumber: number) => ({
      failedStep: 'calculator',
      stepNumber,
      code: 'TOOL_EXECUTION_FAILED',
      args: DIVIDE.args,
      executionTime: expect.any(Number),
    }),
  },
];

/** Allows the model to reach the peer, which no query names. */
const ask = (path: string, query = 'reach the goal', options: object = {}, headers = {}): Promise<Answer> => {
  const allow = { hosts: [new URL(peer.url).host] };
  return service.post(path, { query, options: { allow, ...options } }, headers);
};

describe.each(ENDPOINTS)('POST $path', ({ path, type, completed, failed, errorOf, detailsOf }) => {
  const work = (options?: object, query?: string, headers = {}): Promise<Answer> =>
    ask(path, query, options, headers);

  test('works until the model says that the goal is reached, and names the run', async () => {
    service.hosted.script(
      callsTools([ADD]),
      callsTools([calculates('multiply', 2, 21)]),
      says('Reached: 42.', { usage: [20, 6] }),
    );
    const answer = await work();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: {
        success: true,
        finalResult: 42,
        allResults: { calculator: 2, calculator_2: 42 },
        executionOrder: ['calculator', 'calculator'],
        errors: [],
        executionTime: expect.any(Number),
        traceId: answer.headers.get('x-trace-id'),
        workflowId: answer.headers.get('x-workflow-id'),
        answer: 'Reached: 42.',
        iterations: 2,
        usage: { promptTokens: 40, completionTokens: 16, costUsd: null, modelCalls: 3, toolCalls: 2 },
        llmUsage: usage(40, 16),
        provider: 'hosted',
        model: 'hosted-model',
      },
      message: completed,
    });
    expect(outcomesIn(service.hosted.requests[2])).toEqual(['2', '42']);
    const run = await service.get(
      `/api/runs/${answer.body.data.traceId}?workflowId=${answer.body.data.workflowId}`,
    );
    expect(run.body.data).toMatchObject({ type, status: 'completed' });
  });

  test('needs no tool where the model has the answer', async () => {
    service.hosted.script(says('Paris.'));
    const { body } = await work({}, 'what is the capital of France');
    expect(body.message).toBe(completed);
    expect(body.data).toMatchObject({
      success: true,
      finalResult: 'Paris.',
      answer: 'Paris.',
      allResults: {},
      executionOrder: [],
      iterations: 0,
    });
  });

  test('stops at maxIterations with work left, and says so', async () => {
    service.hosted.otherwise(callsTools([ADD]));
    const { status, body } = await work({ maxIterations: 2 });
    expect(status).toBe(200);
    expect(body.message).toBe('Stopped after 2 iterations with work left');
    expect(body.data).toMatchObject({
      success: false,
      finalResult: 2,
      allResults: { calculator: 2, calculator_2: 2 },
      iterations: 2,
      answer: '',
    });
    expect(body.data.errors).toEqual([
      {
        stepNumber: 3,
        toolName: 'calculator',
        code: 'ITERATION_LIMIT',
        error: expect.stringContaining('2 iterations (maxIterations)'),
      },
    ]);
    expect(service.hosted.requests).toHaveLength(3);
  });

  test('plans around a failed step', async () => {
    service.hosted.script(callsTools([DIVIDE]), callsTools([ADD]), says('By another way.'));
    const { body } = await work();
    expect(body.message).toBe(completed);
    expect(body.data).toMatchObject({
      success: true,
      finalResult: 2,
      errors: [{ stepNumber: 1, toolName: 'calculator', code: 'TOOL_EXECUTION_FAILED' }],
    });
  });

  test.each([
    ['the model gives up', [callsTools([ADD]), callsTools([DIVIDE]), says('No way.')], 2],
    ['it may not be planned around again', [callsTools([DIVIDE]), callsTools([DIVIDE])], 2],
  ])('a failed step fails the run where %s', async (_case, behaviours, stepNumber) => {
    service.hosted.script(...behaviours);
    const answer = await work();
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      success: false,
      message: failed,
      error: expect.stringMatching(new RegExp(`^${errorOf(stepNumber)}Division by zero`)),
      details: {
        ...detailsOf(stepNumber),
        workflowId: answer.headers.get('x-workflow-id'),
        traceId: answer.headers.get('x-trace-id'),
      },
    });
    expect(service.hosted.requests).toHaveLength(behaviours.length);
  });

  test.each([
    ['completed', says('Done.'), []],
    ['stopped with work left', callsTools([ADD]), [expect.objectContaining({ code: 'ITERATION_LIMIT' })]],
  ])('a repeat with the same key gets the first run, which was %s', async (_end, last, errors) => {
    const once = `/once-${randomUUID()}`;
    service.hosted.script(callsTools([fetches(peer.url + once)]), last);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await work({ maxIterations: 1 }, 'fetch it', headers);
    const repeat = await work({ maxIterations: 1 }, 'fetch it', headers);
    expect([first.status, first.body.data.errors]).toEqual([200, errors]);
    expect(repeat.body).toEqual(first.body);
    expect(service.hosted.requests).toHaveLength(2);
    expect(peer.count(once)).toBe(1);
    expect((await work({ maxIterations: 1 }, 'fetch another', headers)).status).toBe(409);
    expect((await work({ maxIterations: 2 }, 'fetch it', headers)).status).toBe(409);
  });

  test.each([
    ['no query', {}, 'query', 'query is required'],
    ['an empty query', { query: '' }, 'query', 'must not be empty'],
    ['a blank query', { query: '  ' }, 'query', 'must not be empty'],
    ['no iterations', { query: 'x', options: { maxIterations: 0 } }, 'options.maxIterations', /./],
    ['half an iteration', { query: 'x', options: { maxIterations: 1.5 } }, 'options.maxIterations', /./],
    [
      'more iterations than there may be',
      { query: 'x', options: { maxIterations: 5 } },
      'options.maxIterations',
      /at most 4 \(PLANNER_MAX_ITERATIONS\)/,
    ],
    ['a temperature below 0', { query: 'x', options: { temperature: -0.1 } }, 'options.temperature', /./],
  ])('%s is refused', async (_case, body, field, message) => {
    const answer = await service.post(path, body);
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

/** What does not differ between the two is tried with one of them. */
describe('the loop of both', () => {
  const work = (options?: object, query?: string): Promise<Answer> =>
    ask('/api/workflow/execute', query, options);

  test('feeds each result forward to the model, tied to its call', async () => {
    service.hosted.script(
      callsTools([{ ...fetches(`${peer.url}/user`), id: 'call_first' }]),
      callsTools([{ ...calculates('add', 7, 1), id: 'call_second' }]),
      says('Done.'),
    );
    const { body } = await work({}, 'take the id of the first item and add one');
    expect(body.data).toMatchObject({ finalResult: 8, executionOrder: ['api_call', 'calculator'] });

    const [, second, third] = service.hosted.requests;
    expect(second?.body.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'take the id of the first item and add one' },
      { role: 'assistant', tool_calls: [{ id: 'call_first', function: { name: 'api_call' } }] },
      { role: 'tool', tool_call_id: 'call_first' },
    ]);
    expect(outcomesIn(second).map((text) => JSON.parse(text) as unknown)).toEqual([
      { status: 200, data: { path: '/user', items: [{ id: 7 }] }, headers: expect.any(Object) },
    ]);
    expect(third?.body.messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'call_second',
      content: '8',
    });
  });

  test('offers every tool that is there when it asks, registered ones included', async () => {
    const name = `tool-${randomUUID()}`;
    await service.post('/api/tools/register', {
      name,
      description: 'Doubles a number',
      parameters: { n: 'number' },
      execute: '({ n }) => n * 2',
    });
    service.hosted.script(callsTools([{ name, args: { n: 21 } }]), says('Doubled.'));
    const { body } = await work({}, 'double twenty-one');
    expect(body.data).toMatchObject({ finalResult: 42, allResults: { [name]: 42 } });
    const [request] = service.hosted.requests;
    expect(offeredIn(request)).toEqual(
      expect.arrayContaining(['calculator', 'api_call', 'json_reader', 'file_read', 'weather', name]),
    );
    expect(request?.body.tool_choice).toBe('auto');
    await service.send('DELETE', `/api/tools/${name}`);
    await work();
    expect(offeredIn(service.hosted.requests.at(-1))).not.toContain(name);
  });

  test('a tool that goes while the model thinks fails as a call, and is not offered again', async () => {
    const name = `tool-${randomUUID()}`;
    await service.post('/api/tools/register', { name, execute: '() => "still here"' });
    const goes: Behaviour = async (request, response) => {
      expect((await service.send('DELETE', `/api/tools/${name}`)).status).toBe(200);
      await callsTools([{ name, args: {} }])(request, response);
    };
    service.hosted.script(goes, callsTools([calculates('add', 1, 2)]), says('Done.'));
    const { body } = await work();
    expect(body.data).toMatchObject({
      success: true,
      finalResult: 3,
      errors: [{ toolName: name, code: 'TOOL_EXECUTION_FAILED' }],
    });
    expect(offeredIn(service.hosted.requests[1])).not.toContain(name);
  });

  test('a tool that becomes another while the model thinks does not run with arguments of the first', async () => {
    const name = `tool-${randomUUID()}`;
    await service.post('/api/tools/register', { name, execute: '() => "first"' });
    const changes: Behaviour = async (request, response) => {
      const other = { name, parameters: { need: 'string' }, execute: '() => "second"' };
      expect((await service.post('/api/tools/register', other)).body.success).toBe(true);
      await callsTools([{ name, args: { wish: 1 } }])(request, response);
    };
    service.hosted.script(changes, callsTools([{ name, args: { need: 'x' } }]), says('Done.'));
    const { body } = await work();
    expect(body.data).toMatchObject({
      finalResult: 'second',
      errors: [{ toolName: name, error: expect.stringContaining('args.need') }],
    });
    await service.send('DELETE', `/api/tools/${name}`);
  });

  test('runs several calls of one turn in order, a tool that runs again under a name of its own', async () => {
    service.hosted.script(
      callsTools([calculates('add', 1, 1), calculates('add', 2, 2), fetches(`${peer.url}/third`)]),
      callsTools([calculates('add', 3, 3)]),
      says('Done.'),
    );
    const { body } = await work();
    expect(body.data).toMatchObject({
      success: true,
      allResults: { calculator: 2, calculator_2: 4, calculator_3: 6, api_call: { status: 200 } },
      executionOrder: ['calculator', 'calculator', 'api_call', 'calculator'],
      finalResult: 6,
      iterations: 2,
    });
    expect(outcomesIn(service.hosted.requests[1]).slice(0, 2)).toEqual(['2', '4']);
  });

  test('reaches a goal with the last iteration that it may take', async () => {
    service.hosted.script(callsTools([ADD]), callsTools([ADD]), says('Reached.'));
    const { body } = await work({ maxIterations: 2 });
    expect(body.message).toBe('Workflow executed successfully');
    expect(body.data).toMatchObject({ success: true, iterations: 2, errors: [] });
  });

  test('stops at the most iterations of the service where the request names none', async () => {
    service.hosted.script(...[1, 2, 3, 4, 5].map((a) => callsTools([calculates('add', a, 1)])));
    const { body } = await work();
    expect(body.data).toMatchObject({ success: false, iterations: 4, errors: [{ code: 'ITERATION_LIMIT' }] });
  });

  test('a failure that the last iteration ends with is listed beside the limit', async () => {
    service.hosted.script(callsTools([DIVIDE]), callsTools([ADD]));
    const { status, body } = await work({ maxIterations: 1 });
    expect(status).toBe(200);
    expect(body.data.success).toBe(false);
    expect(body.data.errors).toMatchObject([
      { stepNumber: 1, code: 'TOOL_EXECUTION_FAILED' },
      { stepNumber: 2, code: 'ITERATION_LIMIT' },
    ]);
  });

  test('takes model and temperature', async () => {
    service.local.script(callsTools([ADD]), says('Done.'));
    const { body } = await work({ model: 'local', temperature: 0 });
    expect(body.data).toMatchObject({ success: true, provider: 'local', model: 'local-model' });
    for (const { body: request } of service.local.requests) {
      expect(request).toMatchObject({ model: 'local-model', temperature: 0 });
    }
    expect(service.hosted.requests).toEqual([]);
  });

  test('a model that writes more than a run may keep ends it', async () => {
    const call = { id: 'one', type: 'function', function: { name: ADD.name, arguments: ADD.args } };
    const message = { content: 'x'.repeat(9_000_000), tool_calls: [call] };
    service.hosted.otherwise((_request, response) =>
      sendJson(response, 200, { choices: [{ finish_reason: 'tool_calls', message }] }),
    );
    const { status, body } = await work();
    expect([status, body.error]).toEqual([
      413,
      "the texts of the run's model are longer than the 16777216 characters of JSON it may keep",
    ]);
    expect(service.hosted.requests).toHaveLength(2);
  });

  test('shows the model the beginning of a very long output, and the caller all of it', async () => {
    service.hosted.script(callsTools([fetches(`${peer.url}/long`)]), says('Long.'));
    const { body } = await work();
    expect(body.data.finalResult.data.text).toMatch(/x{60000}the end$/);
    const [shown = ''] = outcomesIn(service.hosted.requests[1]);
    expect(shown.length).toBeLessThan(25_000);
    expect(shown).toContain('xxx');
    expect(shown).toContain('cut after 24000 characters');
    expect(shown).not.toContain('the end');
  });

  test('cuts no character in two', async () => {
    const paths = ['/faces', '/faces2'];
    service.hosted.script(callsTools(paths.map((path) => fetches(peer.url + path))), says('Faces.'));
    expect((await work()).status).toBe(200);
    const shown = outcomesIn(service.hosted.requests[1]);
    expect(shown).toEqual([expect.stringContaining('😀…'), expect.stringContaining('😀…')]);
    expect(shown.filter((text) => /\p{Surrogate}/u.test(text))).toEqual([]);
  });
});
