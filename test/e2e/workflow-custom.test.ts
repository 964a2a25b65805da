import type { Answer } from '../support/http';
import { type ModelServer, says, startModelServer } from '../support/model-server';
import { type Service, startService } from '../support/service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import {
  askStep,
  customBody,
  fetchStep,
  type RequestedStep,
  resultsOf,
  sumStep,
  toolStep,
} from '../support/workflow-steps';

let service: Service;
let models: ModelServer;
let peer: StubPeer;

const USER = { name: 'Ada', age: 36, tags: ['x'], items: [{ id: 7, 'odd key': true }], none: null };

beforeAll(async () => {
  models = await startModelServer();
  service = await startService({ LOCAL_LLM_BASE_URL: models.url });
  peer = await startStubPeer(({ path, method, headers, body }, response) => {
    if (path === '/user') return sendJson(response, 200, USER);
    if (path === '/text') return void response.writeHead(200, { 'content-type': 'text/plain' }).end('plain');
    const { 'x-name': name = null } = headers;
    return sendJson(response, 200, { path, method, name, body });
  });
});

afterAll(async () => {
  await Promise.all([peer.close(), models.close()]);
  await service.stop();
});

const run = (steps: readonly RequestedStep[], inputs = {}): Promise<Answer> =>
  service.post('/api/workflow/execute-custom', customBody(steps, inputs));

test('the steps of a workflow run, and their results stand under their ids', async () => {
  models.script(says('Ada it is', { usage: [12, 3] }));
  const answer = await run(
    [
      fetchStep('fetch', '{{input.base}}/user'),
      sumStep('sum', '{{fetch.result.data.items[0].id}}', 1),
      askStep('ask', 'Summarise: {{fetch.result.data.name}} is {{sum.result}}.'),
    ],
    { base: peer.url },
  );
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    success: true,
    data: {
      workflowId: answer.headers.get('x-workflow-id'),
      status: 'completed',
      results: {
        fetch: {
          status: 'completed',
          result: { status: 200, data: USER, headers: expect.any(Object) },
          executionTime: expect.any(Number),
        },
        sum: { status: 'completed', result: 8, executionTime: expect.any(Number) },
        ask: {
          status: 'completed',
          result: 'Ada it is',
          executionTime: expect.any(Number),
          provider: 'local',
          model: 'llama3.1',
          usage: { promptTokens: 12, completionTokens: 3, totalTokens: 15 },
        },
      },
      executionTime: expect.any(Number),
      traceId: answer.headers.get('x-trace-id'),
    },
    message: 'Custom workflow executed successfully',
  });
  expect(Object.keys(answer.body.data.results)).toEqual(['fetch', 'sum', 'ask']);
});

test('the path with a version segment is the same', async () => {
  const answer = await service.post('/api/v1/workflow/execute-custom', customBody([sumStep('sum', 1, 2)]));
  expect(resultsOf(answer)).toEqual({ sum: 3 });
});

test('api_call sends method, headers, query and body', async () => {
  const answer = await run(
    [
      fetchStep('send', `${peer.url}/echo?first=1#part`, {
        method: 'post',
        headers: { 'x-name': '{{name}}' },
        params: { q: 'a b&c', tag: ['x', '{{name}}'], skipped: null, deep: { n: '{{input.n}}' } },
        body: { deep: [{ n: '{{input.n}}' }] },
      }),
      fetchStep('text', `${peer.url}/echo`, { method: 'PUT', body: '{{send.result.data.body}}' }),
    ],
    { name: 'Ada', n: 5 },
  );
  expect(resultsOf(answer)).toMatchObject({
    send: {
      data: {
        method: 'POST',
        path: '/echo?first=1&q=a%20b%26c&tag=x&tag=Ada&deep=%7B%22n%22%3A5%7D',
        name: 'Ada',
        body: '{"deep":[{"n":5}]}',
      },
    },
    text: { data: { method: 'PUT', body: '{"deep":[{"n":5}]}' } },
  });
});

test('tool_execution runs registered tools, and tells what they print', async () => {
  await service.post('/api/tools/register', {
    name: 'describe',
    parameters: { value: 'any' },
    execute: 'console.log("seen"); return { type: typeof args.value, value: args.value }',
  });
  await service.post('/api/tools/register', { name: 'silent', parameters: {}, execute: 'return undefined' });
  const answer = await run([
    toolStep('silent', 'silent'),
    toolStep('after', 'describe', { value: '{{silent.result}}' }),
    toolStep('within', 'describe', { value: 'got {{previous_result.type}}' }),
  ]);
  expect(resultsOf(answer)).toEqual({
    silent: null,
    after: { type: 'object', value: null },
    within: { type: 'string', value: 'got object' },
  });
  expect(answer.body.data.results.after.logs).toEqual(['seen']);
});

describe('a template', () => {
  /** The value of a template: `whole` if it stands alone, `within` if it is inside a text. */
  async function resolved(
    template: string,
    inputs: object = {},
  ): Promise<{ whole: unknown; within: unknown }> {
    const answer = await run(
      [
        fetchStep('fetch', `${peer.url}/user`),
        sumStep('sum', 2, 3),
        fetchStep('echo', `${peer.url}/echo`, {
          method: 'POST',
          body: { whole: template, within: `<${template}>` },
        }),
      ],
      { ...inputs },
    );
    const { echo } = resultsOf(answer) as { echo: { data: { body: string } } };
    return JSON.parse(echo.data.body) as { whole: unknown; within: unknown };
  }

  test.each<[string, unknown, string]>([
    ['{{input.name}}', 'Ada', '<Ada>'],
    ['{{name}}', 'Ada', '<Ada>'],
    ['{{ input.n }}', 5, '<5>'],
    ['{{input.yes}}', true, '<true>'],
    ['{{input.nothing}}', null, '<null>'],
    ['{{input.list}}', [1, { a: 'b' }], '<[1,{"a":"b"}]>'],
    ['{{list[1].a}}', 'b', '<b>'],
    ['{{fetch.result.data.items[0].id}}', 7, '<7>'],
    ['{{fetch.result.data.items[0]["odd key"]}}', true, '<true>'],
    ['{{fetch.result.data.tags}}', ['x'], '<["x"]>'],
    ['{{fetch.result.data.none}}', null, '<null>'],
    ['{{fetch.result.status}}', 200, '<200>'],
    ['{{fetch.status}}', 'completed', '<completed>'],
    ['{{sum.result}}', 5, '<5>'],
    ['{{sum.result.result}}', 5, '<5>'],
    ['{{previous_result}}', 5, '<5>'],
    ['{{input.looks}}', '{{sum.result}}', '<{{sum.result}}>'],
  ])('%s keeps its value, and is text within text', async (template, whole, within) => {
    const inputs = {
      name: 'Ada',
      n: 5,
      yes: true,
      nothing: null,
      list: [1, { a: 'b' }],
      looks: '{{sum.result}}',
    };
    expect(await resolved(template, inputs)).toEqual({ whole, within });
  });

  test('gives a document to a parameter that takes text, from inputs and from results', async () => {
    const answer = await run(
      [
        fetchStep('fetch', `${peer.url}/user`),
        toolStep('known', 'json_reader', { jsonString: '{{input.document}}', path: '$.a' }),
        toolStep('later', 'json_reader', { jsonString: '{{fetch.result.data}}', path: '$.items[0].id' }),
      ],
      { document: { a: [1] } },
    );
    expect(resultsOf(answer)).toMatchObject({ known: { result: [1] }, later: { result: 7 } });
  });
});

test('the same Idempotency-Key is the same run; another request under it is refused', async () => {
  const headers = { 'idempotency-key': `key-${Date.now()}` };
  const body = customBody([fetchStep('once', `${peer.url}/once`)]);
  const first = await service.post('/api/workflow/execute-custom', body, headers);
  const second = await service.post('/api/workflow/execute-custom', body, headers);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('x-trace-id')).toBe(first.headers.get('x-trace-id'));
  expect(first.headers.get('x-workflow-id')).toBe(`custom-workflow/key-${headers['idempotency-key']}`);
  expect(peer.count('/once')).toBe(1);
  const sameRun = await service.post('/api/workflow/execute-custom', { ...body, options: {} }, headers);
  expect(sameRun.body).toEqual(first.body);
  const others = [
    customBody([fetchStep('once', `${peer.url}/other`)]),
    { ...body, options: { timeout: 5_000 } },
  ];
  for (const other of others) {
    const refused = await service.post('/api/workflow/execute-custom', other, headers);
    expect([refused.status, refused.body.message]).toEqual([409, 'Conflict']);
  }
  expect(peer.count('/once')).toBe(1);
  expect(peer.count('/other')).toBe(0);
});
