import type { WorkflowProblem } from '../../src/contracts/http/workflows';
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
    startStubPeer(({ path }, response) =>
      path.startsWith('/broken')
        ? sendJson(response, 503, {})
        : sendJson(response, 200, { path, tries: peer.count(path) }),
    ),
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

test('all mistakes of a definition are named at once, before anything runs', async () => {
  const [sum, wrong] = [divide('sum', 1, 'two', { timeuot: 5 }), { ...fetch('get'), type: 'api' }];
  const { workflow } = customBody([sum, wrong, divide('more', '{{sum.reslt}}', 2)] as RequestedStep[]) as {
    workflow: object;
  };
  const { status, body } = await service.post('/api/workflow/validate', { workflow });
  expect([status, body.data.valid]).toEqual([200, false]);
  expect(body.data.problems.map(({ step, field }: WorkflowProblem) => `${step} ${field}`)).toEqual([
    'sum timeuot',
    'get type',
    'more config.args',
    'sum config.args.b',
  ]);
  expect(peer.count('/get')).toBe(0);
});

test('the JSON Schema of definitions has no envelope and names itself', async () => {
  const { headers, body } = await service.get('/api/workflow/schema');
  expect(headers.get('content-type')).toContain('application/schema+json');
  expect(body).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${service.url}/api/workflow/schema`,
    required: ['name', 'steps'],
  });
});

describe('under continueOnError', () => {
  const lenient = { continueOnError: true };
  beforeAll(async () => {
    const execute = '() => ({ items: [1, 2], nothing: null })';
    const tool = { name: 'rows', description: 'Rows', parameters: {}, execute };
    expect((await service.post('/api/tools/register', tool)).status).toBe(201);
  });

  /** Runs a step behind one that sends a request, one that gives an object, one that fails, and one that calculates. */
  const runBehind = (bad: RequestedStep): Promise<Answer> =>
    run([
      fetch('first'),
      toolStep('rows', 'rows'),
      fetch('broken', '/broken/world', { method: 'POST', expect: '2xx' }, lenient),
      sumStep('sum', 1, 1),
      bad,
      fetch('after', '/after-bad'),
    ]);

  test.each<[string, RequestedStep, RegExp]>([
    [
      'items that a tool gives as an object',
      sumStep('bad', '{{item}}', 1, { ...lenient, forEach: { items: '{{rows.result}}' } }),
      /a list is needed, it is of type object/,
    ],
    [
      'an object as a number',
      sumStep('bad', '{{rows.result}}', 1, lenient),
      /args\.a must be a finite number, got an object/,
    ],
    [
      'a number compared with a text',
      sumStep('bad', 1, 1, { ...lenient, when: '{{sum.result}} > "1"' }),
      /cannot compare a number with a string/,
    ],
    [
      'a number as the query',
      fetchStep('bad', 'http://localhost/', { params: '{{sum.result}}' }, lenient),
      /an object is needed, it is of type number/,
    ],
  ])('a mistake ends the run: %s', async (_, bad, message) => {
    const before = peer.count('/after-bad');
    const answer = await runBehind(bad);
    expect([answer.status, answer.body.details?.failedStep]).toEqual([500, 'bad']);
    expect(answer.body.error).toMatch(message);
    expect(peer.count('/after-bad')).toBe(before);
  });

  test.each<[string, RequestedStep, RegExp]>([
    [
      'a part that data lack',
      sumStep('bad', '{{first.result.data.tires}}', 1, lenient),
      /there is no "tires" in object; it has tries, path$/,
    ],
    [
      'a part that a tool did not give',
      sumStep('bad', '{{rows.result.itmes}}', 1, lenient),
      /; it has items, nothing$/,
    ],
    [
      'data that are no list',
      sumStep('bad', 1, 1, { ...lenient, forEach: { items: '{{first.result.data}}' } }),
      /a list is needed, it is of type object/,
    ],
    [
      'the result of a step that failed',
      sumStep('bad', 1, 1, { ...lenient, forEach: { items: '{{broken.result.data}}' } }),
      /there is no "data" in null$/,
    ],
    [
      'data that have no order',
      sumStep('bad', 1, 1, { ...lenient, when: '{{first.result.data.path}} > 1' }),
      /cannot compare a string with a number/,
    ],
    [
      'null in the place of a text',
      toolStep('bad', 'json_reader', { jsonString: '{{rows.result.nothing}}', path: '$' }, lenient),
      /args\.jsonString must be a string, got null/,
    ],
    [
      'null as a prompt',
      askStep('bad', '{{rows.result.nothing}}', {}, lenient),
      /a text is needed, it is null/,
    ],
    ['a tool that fails', divide('bad', 1, '{{broken.error.nothing}}', lenient), /there is no "nothing"/],
  ])('what comes from outside fails its step alone: %s', async (_, bad, message) => {
    const answer = await runBehind(bad);
    expect(resultsOf(answer)).toMatchObject({ bad: null, after: { status: 200 } });
    expect(answer.body.data.results.bad).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(message) },
    });
  });
});

test('items that are data themselves fail alone', async () => {
  const items = [{ n: '{{first.result.data.path}}' }];
  const each = sumStep('each', '{{item.n.m}}', 1, { continueOnError: true, forEach: { items } });
  const answer = await run([fetch('first'), each]);
  expect(resultsOf(answer)).toMatchObject({ each: [null] });
  expect(answer.body.data.results.each.errors).toMatchObject([{ index: 0 }]);
});

describe('a status that is not expected', () => {
  const strict = { method: 'POST', body: {}, expect: ['2xx', 304] };

  test('fails the step, with the answer in the details', async () => {
    const answer = await run([fetch('ok', '/ok', strict), fetch('bad', '/broken/strict', strict)]);
    expect(answer.status).toBe(500);
    expect(answer.body.error).toMatch(
      /^Step 2 of 2 \(bad\) failed: POST http:.*\/broken\/strict answered 503; expected: \["2xx",304\]$/,
    );
    expect(answer.body.details).toMatchObject({ failedStep: 'bad', answer: { status: 503, data: {} } });
    expect(peer.count('/broken/strict')).toBe(1);
  });

  test('is in the errors of items, with index and address', async () => {
    const items = ['/items?n=0', '/broken/item?n=1'];
    const step = (more: object) =>
      fetchStep(
        'each',
        `${peer.url}{{item}}`,
        { expect: 200 },
        { forEach: { items }, retry: { maximumAttempts: 1 }, ...more },
      );
    const answer = await run([
      step({ continueOnError: true }),
      fetch('report', '/report?{{each.errors[0].index}}&{{each.errors[0].answer.status}}'),
    ]);
    expect(answer.body.data.results.each.errors).toEqual([
      {
        index: 1,
        url: `${peer.url}/broken/item?n=1`,
        code: 'TOOL_EXECUTION_FAILED',
        message: expect.stringContaining('answered 503'),
        answer: { status: 503, data: {}, headers: expect.any(Object) },
      },
    ]);
    expect(resultsOf(answer)).toMatchObject({ report: { data: { path: '/report?1&503' } } });
    const failed = await run([step({})]);
    expect(failed.body.details).toMatchObject({
      index: 1,
      url: `${peer.url}/broken/item?n=1`,
      answer: { status: 503 },
    });
  });
});

test('a changing request that no server can have got is tried again', async () => {
  const retry = { maximumAttempts: 2, initialInterval: 10 };
  const answer = await run([fetchStep('dead', 'http://127.0.0.1:1/', { method: 'POST' }, { retry })]);
  expect(answer.body.error).toMatch(/connection refused \(after 2 attempts\)$/);
});
