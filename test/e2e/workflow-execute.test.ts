import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/http';
import { callsTools, says } from '../support/model-server';
import {
  calculates,
  type ModelService,
  outcomesIn,
  startModelService,
  usage,
} from '../support/model-service';
import { sendJson } from '../support/stub-peer';

let service: ModelService;

beforeAll(async () => {
  service = await startModelService({ PLANNER_MAX_REPLANS: '1', PLANNER_MAX_ITERATIONS: '4' });
});
afterAll(() => service.stop());
beforeEach(() => {
  service.hosted.reset();
  service.local.reset();
});

const work = (options?: object, query = 'reach the goal', headers = {}): Promise<Answer> =>
  service.post('/api/workflow/execute', { query, ...(options ? { options } : {}) }, headers);
const ADD = calculates('add', 1, 1);
const DIVIDE = calculates('divide', 1, 0);

describe('POST /api/workflow/execute', () => {
  test('works until the model says that the goal is reached', async () => {
    service.hosted.script(
      callsTools([ADD]),
      callsTools([calculates('multiply', 2, 21)]),
      says('Reached: 42.'),
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
        usage: { promptTokens: 30, completionTokens: 15, costUsd: null, modelCalls: 3, toolCalls: 2 },
        llmUsage: usage(30, 15),
        provider: 'hosted',
        model: 'hosted-model',
      },
      message: 'Workflow executed successfully',
    });
    expect(outcomesIn(service.hosted.requests[2])).toEqual(['2', '42']);
  });

  test('reaches a goal with the last iteration that it may take', async () => {
    service.hosted.script(callsTools([ADD]), callsTools([ADD]), says('Reached.'));
    const { body } = await work({ maxIterations: 2 });
    expect(body.message).toBe('Workflow executed successfully');
    expect(body.data).toMatchObject({ success: true, iterations: 2, errors: [] });
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

  test('stops at the most iterations of the service where the request names none', async () => {
    service.hosted.otherwise(callsTools([ADD]));
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

  test('plans around a failed step', async () => {
    service.hosted.script(callsTools([DIVIDE]), callsTools([ADD]), says('By another way.'));
    const { body } = await work();
    expect(body.message).toBe('Workflow executed successfully');
    expect(body.data).toMatchObject({
      success: true,
      finalResult: 2,
      errors: [{ stepNumber: 1, toolName: 'calculator', code: 'TOOL_EXECUTION_FAILED' }],
    });
  });

  test.each([
    ['the model gives up', [callsTools([ADD]), callsTools([DIVIDE]), says('No way.')], 2],
    ['it may not be planned around again', [callsTools([DIVIDE]), callsTools([DIVIDE])], 2],
  ])('a failed step fails the workflow where %s', async (_case, behaviours, stepNumber) => {
    service.hosted.script(...behaviours);
    const answer = await work();
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Workflow execution failed',
      error: expect.stringMatching(new RegExp(`Step ${stepNumber} \\(calculator\\).*division by zero`, 'i')),
      details: {
        workflowId: answer.headers.get('x-workflow-id'),
        failedStep: 'calculator',
        stepNumber,
        executionTime: expect.any(Number),
        traceId: answer.headers.get('x-trace-id'),
      },
    });
    expect(service.hosted.requests).toHaveLength(behaviours.length);
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

  test('a repeat with the same key gets the first run, whatever became of it', async () => {
    service.hosted.otherwise(callsTools([ADD]));
    const headers = { 'idempotency-key': randomUUID() };
    const first = await work({ maxIterations: 1 }, 'go on', headers);
    const repeat = await work({ maxIterations: 1 }, 'go on', headers);
    expect(first.body.data.errors).toMatchObject([{ code: 'ITERATION_LIMIT' }]);
    expect(repeat.body).toEqual(first.body);
    expect(service.hosted.requests).toHaveLength(2);
    expect((await work({ maxIterations: 2 }, 'go on', headers)).status).toBe(409);
  });

  test('without any tool that could fail, no tool is no failure', async () => {
    service.hosted.script(says('There is nothing to do.'));
    const { body } = await work();
    expect(body.data).toMatchObject({ success: true, finalResult: 'There is nothing to do.', iterations: 0 });
  });

  test.each([
    ['no query', {}, 'query', 'query is required'],
    ['an empty query', { query: '' }, 'query', 'must not be empty'],
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
    const answer = await service.post('/api/workflow/execute', body);
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
