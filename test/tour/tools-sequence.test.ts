import { calculator, type RequestedCall } from '../support/calls';
import { type CountedRun, runAndCount } from '../support/counted-run';
import type { Answer } from '../support/http';
import type { SharedService } from '../support/service';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { useServiceAlone } from '../support/use-service';

let service: SharedService;
let temporal: TestClient;

beforeAll(async () => {
  [service, temporal] = await Promise.all([useServiceAlone(), connectTemporal()]);
});
afterAll(() => Promise.all([service.stop(), temporal.close()]));

const reader = (jsonString: unknown, path: string): RequestedCall => ({
  toolName: 'json_reader',
  args: { jsonString, path },
});
const next = (operation: string, b: unknown): RequestedCall =>
  calculator(operation, '{{previous_result}}', b);

/** Runs a sequence. */
const run = (...tools: readonly RequestedCall[]): Promise<CountedRun> =>
  runAndCount(service, temporal.client, '/api/tools/execute-sequential', { tools });

const dataOf = ({ body }: Answer): unknown[] =>
  (body.data.results as { data: { result: unknown } }[]).map(({ data }) => data.result);

test('neighbouring light calls share one step, and each has its result and its count', async () => {
  const { answer, counted, steps } = await run(
    calculator('add', 1, 2),
    next('multiply', 10),
    reader('{"a":{"b":"{{previous_result}}"}}', '$.a'),
  );
  expect(answer.body.data).toEqual({
    results: [
      {
        toolName: 'calculator',
        success: true,
        data: { result: 3, executionTime: expect.any(Number), toolName: 'calculator' },
      },
      {
        toolName: 'calculator',
        success: true,
        data: { result: 30, executionTime: expect.any(Number), toolName: 'calculator' },
      },
      { toolName: 'json_reader', success: true, data: { path: '$.a', result: { b: '30' } } },
    ],
    totalExecutionTime: expect.any(Number),
    errors: [],
  });
  expect(counted).toEqual({ succeeded: 3, failed: 0 });
  expect(steps).toEqual(['1, 2, 3: 3 tools: calculator, calculator, json_reader']);
});

test('a single light call keeps the summary of its arguments', async () => {
  const { steps } = await run(calculator('add', 1, 2));
  expect(steps).toEqual(['1: calculator {"operation":"add","a":1,"b":2}']);
});

test('a failure in the middle ends the sequence, with its position and what was completed', async () => {
  const { answer, counted, steps } = await run(
    calculator('add', 1, 1),
    next('divide', 0),
    calculator('add', 1, 1),
  );
  expect([answer.status, answer.body.message]).toEqual([500, 'Tool execution failed']);
  expect(answer.body.error).toBe('Step 2 (calculator): Division by zero');
  expect(answer.body.details).toMatchObject({
    toolName: 'calculator',
    args: { operation: 'divide', a: 2, b: 0 },
    stepNumber: 2,
    completed: [{ toolName: 'calculator', success: true, data: { result: 2 } }],
  });
  expect(counted).toEqual({ succeeded: 1, failed: 1 });
  expect(steps).toHaveLength(1);
});

test('a reference that is missing fails its call as it does without sharing', async () => {
  const { answer, counted } = await run(
    calculator('add', 1, 1),
    next('add', 1),
    calculator('add', '{{previous_result.none}}', 1),
  );
  expect(answer.body.error).toMatch(/^Step 3 \(calculator\): .*there is no "none" in number/);
  expect(answer.body.details.completed).toHaveLength(2);
  expect(counted).toEqual({ succeeded: 2, failed: 0 });
});

test('arguments that are wrong once they are resolved fail their call', async () => {
  const { answer, counted } = await run(reader('{"a":"x"}', '$.a'), next('add', 1));
  expect(answer.body.error).toMatch(/^Step 2 \(calculator\): args\.a /);
  expect(answer.body.details).toMatchObject({ stepNumber: 2, args: { a: { path: '$.a', result: 'x' } } });
  expect(counted).toEqual({ succeeded: 1, failed: 1 });
});

test('a call that its templates make expensive has a step to itself, and light ones behind it share again', async () => {
  const { answer, counted, steps } = await run(
    reader('{"path":"$..n"}', '$.path'),
    reader('{"a":{"n":4}}', '{{previous_result.result}}'),
    calculator('add', '{{previous_result.result[0]}}', 1),
    next('multiply', 2),
  );
  expect(dataOf(answer)).toEqual(['$..n', [4], 5, 10]);
  expect(counted).toEqual({ succeeded: 4, failed: 0 });
  expect(steps).toEqual([
    '1, 2, 3, 4: 4 tools: json_reader, json_reader, calculator, calculator',
    expect.stringMatching(/^2: json_reader .*\$\.\.n/),
    '3, 4: 2 tools: calculator, calculator',
  ]);
});

test('fifty light calls need four steps', async () => {
  const { answer, counted, steps } = await run(
    calculator('add', 0, 1),
    ...Array.from({ length: 49 }, () => next('add', 1)),
  );
  expect(dataOf(answer).at(-1)).toBe(50);
  expect(counted).toEqual({ succeeded: 50, failed: 0 });
  expect(steps).toHaveLength(4);
});
