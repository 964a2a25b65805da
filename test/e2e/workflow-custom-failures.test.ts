import type { Answer } from '../support/http';
import type { SharedService } from '../support/service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { useService } from '../support/use-service';
import {
  askStep,
  customBody,
  fetchStep,
  type RequestedStep,
  resultsOf,
  sumStep,
  toolStep,
} from '../support/workflow-steps';

let service: SharedService;
let peer: StubPeer;

beforeAll(async () => {
  [service, peer] = await Promise.all([
    useService(),
    startStubPeer(({ path }, response) => {
      if (path.startsWith('/slow')) return; // Never answered.
      if (path.startsWith('/huge')) return sendJson(response, 200, { text: 'x'.repeat(3_000_000) });
      if (path.startsWith('/broken')) return sendJson(response, 503, {});
      if (path.startsWith('/third') && peer.count(path) < 3) return sendJson(response, 503, {});
      return sendJson(response, 200, { path, tries: peer.count(path) });
    }),
  ]);
});

afterAll(async () => {
  await peer.close();
  await service.stop();
});

const run = (steps: readonly RequestedStep[], inputs = {}): Promise<Answer> =>
  service.post('/api/workflow/execute-custom', customBody(steps, inputs));
const fetch = (id: string, path = `/${id}`, config = {}, more = {}) =>
  fetchStep(id, peer.url + path, config, more);
const divide = (id: string, a: unknown, b: unknown, more = {}) =>
  toolStep(id, 'calculator', { operation: 'divide', a, b }, more);

describe('a step that fails', () => {
  test('ends the run, and the answer says which it was', async () => {
    const answer = await run([sumStep('sum', 1, 1), divide('divide', '{{sum.result}}', 0), fetch('never')]);
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Workflow execution failed',
      error: expect.stringMatching(/^Step 2 of 3 \(divide\) failed: .*division by zero/i),
      details: {
        workflowId: answer.headers.get('x-workflow-id'),
        failedStep: 'divide',
        stepNumber: 2,
        executionTime: expect.any(Number),
        traceId: answer.headers.get('x-trace-id'),
        code: 'TOOL_EXECUTION_FAILED',
        completed: { sum: { status: 'completed', result: 2, executionTime: expect.any(Number) } },
      },
    });
    expect(peer.count('/never')).toBe(0);
  });

  test('with continueOnError is told in the result, and the run goes on', async () => {
    const answer = await run([
      divide('divide', 1, 0, { continueOnError: true }),
      fetch('after', '/after', { params: { status: '{{divide.status}}', code: '{{divide.error.code}}' } }),
      fetch('instead', '/instead', {}, { when: '{{divide.result}} == null' }),
    ]);
    expect(answer.body.data.results.divide).toEqual({
      status: 'failed',
      result: null,
      executionTime: expect.any(Number),
      error: { code: 'TOOL_EXECUTION_FAILED', message: expect.stringMatching(/division by zero/i) },
    });
    expect(resultsOf(answer)).toMatchObject({
      after: { data: { path: '/after?status=failed&code=TOOL_EXECUTION_FAILED' } },
      instead: { status: 200 },
    });
  });

  test.each<[string, (url: string) => RequestedStep, RegExp]>([
    [
      'a part that the result lacks',
      (url) => fetchStep('bad', url, { params: { a: '{{first.result.data.missing.deep}}' } }),
      /\{\{first\.result\.data\.missing\.deep\}\} cannot be resolved: there is no "missing" in object/,
    ],
    [
      'a part of a text',
      (url) => fetchStep('bad', url, { body: 'x {{first.result.data.path.deep}}' }),
      /\{\{first\.result\.data\.path\.deep\}\} cannot be resolved: there is no "deep" in string/,
    ],
    [
      'a part of what was skipped',
      (url) => fetchStep('bad', url, { body: '{{skipped.result.data}}' }),
      /\{\{skipped\.result\.data\}\} cannot be resolved: there is no "data" in null/,
    ],
    [
      'items that are no list',
      (url) => fetchStep('bad', url, {}, { forEach: { items: '{{first.result.data}}' } }),
      /forEach\.items cannot be resolved: a list is needed, it is of type object/,
    ],
    [
      'a comparison without an order',
      (url) => fetchStep('bad', url, {}, { when: '{{first.result}} > 5' }),
      /cannot compare a object with a number|cannot compare an object with a number/,
    ],
    [
      'params that are no object',
      (url) => fetchStep('bad', url, { params: '{{first.result.data.path}}' }),
      /config\.params cannot be resolved: an object is needed, it is of type string/,
    ],
  ])('only once the run knows it names the reference: %s', async (_problem, step, message) => {
    const answer = await run([
      fetch('first'),
      fetch('skipped', '/skipped', {}, { when: 'false' }),
      step(peer.url),
    ]);
    expect(answer.status).toBe(500);
    expect(answer.body.error).toMatch(/^Step 3 of 3 \(bad\) failed: /);
    expect(answer.body.error).toMatch(message);
    expect(answer.body.details).toMatchObject({ failedStep: 'bad', stepNumber: 3, code: 'WORKFLOW_INVALID' });
  });

  test('a reference of a megabyte that leads nowhere fails its step, although an error is stored with the run', async () => {
    const missing = `{{first.result.data.${'x'.repeat(900_000)}}}`;
    const answer = await run([fetch('first'), sumStep('bad', missing, 1)]);
    expect(answer.status).toBe(500);
    expect(answer.body.error).toMatch(
      /^Step 2 of 2 \(bad\) failed: \{\{first\.result\.data\.x+… cannot be resolved/,
    );
    expect(answer.body.details).toMatchObject({ failedStep: 'bad', code: 'WORKFLOW_INVALID' });
    expect(answer.text.length).toBeLessThan(2_000);
  });

  test.each([
    ['a method', { method: '{{first.result.status}}' }, /args\.method must be a string/],
    ['headers', { headers: '{{first.result.data.path}}' }, /args\.headers must be an object/],
  ])('of the wrong %s does not send another request instead', async (_part, config, message) => {
    const answer = await run([fetch('first'), fetch('wrong', '/wrong', config)]);
    expect(answer.body.error).toMatch(message);
    expect(peer.count('/wrong')).toBe(0);
  });

  test('cannot make the run loop: what refers to it alone fails with continueOnError too', async () => {
    const answer = await run([
      fetch('first'),
      sumStep('bad', '{{first.result.data.none}}', 1, { continueOnError: true }),
      sumStep('good', 1, 2),
    ]);
    expect(answer.body.data.results.bad).toMatchObject({
      status: 'failed',
      error: { code: 'WORKFLOW_INVALID', message: expect.stringContaining('"none"') },
    });
    expect(resultsOf(answer)['good']).toBe(3);
  });
});

describe('a failure beside light steps that run at that moment', () => {
  const missing = (id: string): RequestedStep =>
    toolStep(id, 'json_reader', { jsonString: '{}', path: '$.missing' }, { dependsOn: [] });
  const repeat = (id: string): RequestedStep => askStep(id, 'Repeat: The cat sat on the mat.');

  test.each<[string, readonly RequestedStep[], string]>([
    ['of calls', [sumStep('a', 1, 1), sumStep('b', 1, 1), missing('failing')], 'failing'],
    ['of the rules', [repeat('a'), repeat('b'), missing('failing')], 'failing'],
    [
      'of items',
      [divide('each', 1, '{{item}}', { forEach: { items: [1, 2, 0, 4, 5, 6], concurrency: 2 } })],
      'each',
    ],
  ])('%s ends the run', async (_what, steps, failedStep) => {
    const answer = await run(steps);
    expect(answer.status).toBe(500);
    expect(answer.body.details).toMatchObject({ failedStep, code: 'TOOL_EXECUTION_FAILED' });
  });
});

describe('the limit of a step', () => {
  test('ends it, and its error names the limit', async () => {
    const answer = await run([fetch('late', '/slow/one', {}, { timeout: 400 })]);
    expect(answer.status).toBe(500);
    expect(answer.body.error).toBe(
      'Step 1 of 1 (late) failed: The tool "api_call" did not finish within 400 ms (limit: timeout)',
    );
    expect(answer.body.details).toMatchObject({ failedStep: 'late', code: 'TOOL_TIMEOUT' });
  });

  test('is of that step alone', async () => {
    const answer = await run([
      fetch('late', '/slow/two', {}, { timeout: 300, continueOnError: true }),
      fetch('fine'),
    ]);
    expect(answer.body.data.results.late).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_TIMEOUT' },
    });
    expect(resultsOf(answer)['fine']).toMatchObject({ status: 200 });
  });
});

describe('the limit of a request', () => {
  const late = 'did not finish within 300 ms (limit: options.timeout)';
  const limited = (body: object): Promise<Answer> =>
    service.post('/api/workflow/execute-custom', { ...body, options: { timeout: 300 } });

  test('is that of the calls whose step sets none', async () => {
    const answer = await limited(
      customBody([
        fetch('quick', '/slow/three', {}, { timeout: 200, continueOnError: true }),
        fetch('late', '/slow/four'),
      ]),
    );
    expect(answer.status).toBe(500);
    expect(answer.body.error).toBe(`Step 2 of 2 (late) failed: The tool "api_call" ${late}`);
    expect(answer.body.details).toMatchObject({
      code: 'TOOL_TIMEOUT',
      completed: { quick: { error: { message: expect.stringContaining('200 ms (limit: timeout)') } } },
    });
  });

  test('holds for a stored workflow too', async () => {
    const inputs = { url: `${peer.url}/slow/five`, path: '$.path' };
    const answer = await limited({ workflowId: 'fetch-and-extract', inputs });
    expect(answer.status).toBe(500);
    expect(answer.body.error).toContain(late);
  });
});

describe('the attempts of a step', () => {
  const retried = (path: string, retry?: object) =>
    run([fetch('call', path, {}, retry === undefined ? {} : { retry })]);

  test('are as many as it says, and as the service says where it does not', async () => {
    const quick = { initialInterval: 10 };
    await retried('/broken/once', { maximumAttempts: 1 });
    await retried('/broken/five', { maximumAttempts: 5, ...quick, backoffCoefficient: 1 });
    await retried('/broken/default', quick);
    expect(peer.count('/broken/once')).toBe(1);
    expect(peer.count('/broken/five')).toBe(5);
    expect(peer.count('/broken/default')).toBe(3);
  });

  test('are one for a request that may have had an effect', async () => {
    const config = { method: 'POST', body: {} };
    const answer = await run([fetch('call', '/broken/post', config, { retry: { maximumAttempts: 5 } })]);
    expect(resultsOf(answer)['call']).toMatchObject({ status: 503 });
    expect(peer.count('/broken/post')).toBe(1);
  });

  test('end with the first that succeeds', async () => {
    const answer = await retried('/third/time', { maximumAttempts: 10, initialInterval: 10 });
    expect(resultsOf(answer)['call']).toMatchObject({ status: 200, data: { path: '/third/time', tries: 3 } });
  });

  test('may follow one another faster than by default', async () => {
    const answer = await retried('/third/quick', { maximumInterval: 20 });
    expect(resultsOf(answer)['call']).toMatchObject({ data: { tries: 3 } });
  });
});

test('an item that fails is named, with those that were done', async () => {
  const answer = await run([
    divide('each', 12, '{{item}}', { forEach: { items: [1, 2, 0, 4], concurrency: 1 } }),
  ]);
  expect(answer.status).toBe(500);
  expect(answer.body.error).toBe('Step 1 of 1 (each[2]) failed: Division by zero');
  expect(answer.body.details).toMatchObject({ failedStep: 'each', index: 2, completedItems: [0, 1] });
});

test('results that are more than a run can keep end it, and the process goes on', async () => {
  const items = Array.from({ length: 40 }, (_, index) => index);
  const answer = await run([
    fetch('each', '/huge?item={{index}}', {}, { continueOnError: true, forEach: { items, concurrency: 4 } }),
  ]);
  expect(answer.status).toBe(500);
  expect(answer.body.details).toMatchObject({ failedStep: 'each', code: 'PAYLOAD_TOO_LARGE' });
  expect(answer.body.error).toContain('67108864');
  expect((await run([sumStep('sum', 1, 1)])).status).toBe(200);
});
