import { type CountedRun, runAndCount } from '../support/counted-run';
import type { SharedService } from '../support/service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { useServiceAlone } from '../support/use-service';
import {
  customBody,
  fetchStep,
  type RequestedStep,
  resultsOf,
  sumStep,
  toolStep,
} from '../support/workflow-steps';

let service: SharedService;
let peer: StubPeer;
let temporal: TestClient;

beforeAll(async () => {
  peer = await startStubPeer((_request, response) =>
    sendJson(response, 200, { n: 7, text: 'x'.repeat(20_000) }),
  );
  [service, temporal] = await Promise.all([useServiceAlone(), connectTemporal()]);
});
afterAll(async () => {
  await Promise.all([peer.close(), temporal.close()]);
  await service.stop();
});

const run = (steps: readonly RequestedStep[], inputs = {}): Promise<CountedRun> =>
  runAndCount(service, temporal.client, '/api/workflow/execute-custom', customBody(steps, inputs));

const fetch = (id: string): RequestedStep => fetchStep(id, peer.url);
const reader = (id: string, jsonString: unknown): RequestedStep =>
  toolStep(id, 'json_reader', { jsonString, path: '$.n' });
const broken = (id: string, more = {}): RequestedStep =>
  toolStep(id, 'calculator', { operation: 'divide', a: 1, b: 0 }, more);

test('a chain of light steps shares one step, and each has its outcome and its count', async () => {
  const { answer, counted, steps } = await run(
    [
      sumStep('one', '{{input.start}}', 2),
      sumStep('two', '{{one.result}}', '{{start}}', { when: '{{one.status}} == "completed"' }),
      sumStep('three', 1, 2, { when: '{{two.result}} > 100' }),
      reader('four', '{"n":"{{two.result}} {{three.status}} {{previous_result}}"}'),
    ],
    { start: 1 },
  );
  const completed = (result: unknown) => ({ status: 'completed', result, executionTime: expect.any(Number) });
  expect(answer.body.data.results).toEqual({
    one: completed(3),
    two: completed(4),
    three: { status: 'skipped', result: null, executionTime: expect.any(Number) },
    four: completed({ path: '$.n', result: '4 skipped null' }),
  });
  expect(counted).toEqual({ succeeded: 3, failed: 0 });
  expect(steps).toEqual(['one, two, three, four: 4 tools: calculator, calculator, calculator, json_reader']);
});

test('light steps around one with an effect share a step on either side', async () => {
  const { answer, counted, steps } = await run([
    sumStep('one', 1, 2),
    sumStep('two', '{{one.result}}', 1),
    fetch('fetch'),
    sumStep('three', '{{fetch.result.data.n}}', '{{two.result}}'),
    sumStep('four', '{{three.result}}', '{{one.result}}'),
  ]);
  expect(resultsOf(answer)).toMatchObject({ one: 3, two: 4, three: 11, four: 14 });
  expect(counted).toEqual({ succeeded: 5, failed: 0 });
  expect(steps).toEqual([
    'one, two: 2 tools: calculator, calculator',
    expect.stringMatching(/^fetch: api_call /),
    'three, four: 2 tools: calculator, calculator',
  ]);
});

test('a failure in the middle fails the run, with the steps that were completed before it', async () => {
  const { answer, counted, steps } = await run([
    sumStep('one', 1, 2),
    sumStep('two', '{{one.result}}', 1),
    broken('three'),
    sumStep('four', 1, 2),
  ]);
  expect([answer.status, answer.body.error]).toEqual([500, 'Step 3 of 4 (three) failed: Division by zero']);
  expect(answer.body.details).toMatchObject({
    failedStep: 'three',
    stepNumber: 3,
    code: 'TOOL_EXECUTION_FAILED',
    completed: { one: { status: 'completed', result: 3 }, two: { status: 'completed', result: 4 } },
  });
  expect(Object.keys(answer.body.details.completed as object)).toEqual(['one', 'two']);
  expect(counted).toEqual({ succeeded: 2, failed: 1 });
  expect(steps).toHaveLength(1);
});

test('after a failure that does not end the run, the next light steps share a step again', async () => {
  const { answer, counted, steps } = await run([
    sumStep('one', 1, 2),
    broken('two', { continueOnError: true }),
    sumStep('three', 1, '{{one.result}}', { when: '{{two.error.code}} == "TOOL_EXECUTION_FAILED"' }),
    sumStep('four', 1, '{{three.result}}'),
  ]);
  expect(answer.body.data.results).toMatchObject({
    one: { result: 3 },
    two: {
      status: 'failed',
      result: null,
      error: { code: 'TOOL_EXECUTION_FAILED', message: 'Division by zero' },
    },
    three: { result: 4 },
    four: { result: 5 },
  });
  expect(counted).toEqual({ succeeded: 3, failed: 1 });
  expect(steps).toHaveLength(2);
});

test('a step that its templates make heavy, and one that they fail, have steps to themselves', async () => {
  const { answer, counted } = await run([
    sumStep('one', 1, 2),
    sumStep('two', '{{one.error.none}}', 2, { continueOnError: true }),
    fetch('fetch'),
    sumStep('three', 1, 2),
    reader('four', '{{fetch.result.data}}'),
    sumStep('five', '{{four.result.result}}', 1),
  ]);
  expect(answer.body.data.results.two).toMatchObject({
    status: 'failed',
    error: { code: 'WORKFLOW_INVALID' },
  });
  expect(resultsOf(answer)).toMatchObject({ three: 3, four: { result: 7 }, five: 8 });
  expect(counted).toEqual({ succeeded: 5, failed: 0 });
});
