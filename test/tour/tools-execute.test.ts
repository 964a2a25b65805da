import type { SharedService } from '../support/service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { useService } from '../support/use-service';

let service: SharedService;
let peer: StubPeer;
/** The peer answers requests below `/together` only once two of them have arrived. */
const waiting: (() => void)[] = [];

beforeAll(async () => {
  service = await useService();
  peer = await startStubPeer(({ path, method, body }, response) => {
    if (path === '/slow') return; // Never answered.
    if (path.startsWith('/together')) {
      waiting.push(() => sendJson(response, 200, { path }, { connection: 'close' }));
      if (waiting.length === 2) for (const answer of waiting) answer();
      return;
    }
    if (path === '/user') return sendJson(response, 200, { name: 'Ada', items: [{ id: 7 }] });
    if (path === '/missing') return sendJson(response, 404, { reason: 'none' });
    if (path.startsWith('/flaky')) {
      return sendJson(response, peer.count(path) < 2 ? 503 : 200, { tries: peer.count(path) });
    }
    if (path === '/big') return sendJson(response, 200, { text: 'x'.repeat(600_000) });
    return sendJson(response, 200, { method, body });
  });
});

afterAll(async () => {
  await peer.close();
  await service.stop();
});

const calculator = (operation: string, a: unknown, b: unknown) => ({
  toolName: 'calculator',
  args: { operation, a, b },
});
const execute = (body: unknown) => service.post('/api/tools/execute', body);
const apiCall = (path: string, more = {}) => ({
  toolName: 'api_call',
  args: { url: peer.url + path, ...more },
});

describe('POST /api/tools/execute', () => {
  test.each([
    ['add', 2, 3, 5],
    ['subtract', 2, 3, -1],
    ['multiply', 6, 7, 42],
    ['divide', 1, 4, 0.25],
  ])('%s', async (operation, a, b, result) => {
    const answer = await execute(calculator(operation, a, b));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: { result, executionTime: expect.any(Number), toolName: 'calculator' },
      message: 'Tool executed successfully',
    });
  });

  test('answers under the version segment too', async () => {
    const answer = await service.post('/api/v1/tools/execute', calculator('add', 1, 1));
    expect(answer.body.data.result).toBe(2);
  });

  test('names the run in headers, and the run can be looked up', async () => {
    const answer = await execute(calculator('add', 1, 2));
    const workflowId = answer.headers.get('x-workflow-id') ?? '';
    const traceId = answer.headers.get('x-trace-id') ?? '';
    expect(workflowId).toMatch(/^execute-tool\/calculator\/[0-9A-Z]{26}$/);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    const run = await service.get(`/api/runs/${traceId}?workflowId=${encodeURIComponent(workflowId)}`);
    expect(run.body.data).toMatchObject({
      workflowId,
      traceId,
      type: 'executeTool',
      status: 'completed',
      result: { result: 3, toolName: 'calculator' },
    });
  });

  test('division by zero is an execution error with the call in its details', async () => {
    const answer = await execute(calculator('divide', 1, 0));
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Tool execution failed',
      error: expect.stringMatching(/division by zero/i),
      details: { toolName: 'calculator', args: { operation: 'divide', a: 1, b: 0 } },
    });
  });

  test('json_reader and api_call answer with their own shapes', async () => {
    const read = await execute({
      toolName: 'json_reader',
      args: { jsonString: '{"name":"Ada"}', path: '$.name' },
    });
    expect(read.body.data.result).toEqual({ result: 'Ada', path: '$.name' });
    const call = await execute(apiCall('/user'));
    expect(call.body.data.result).toEqual({
      status: 200,
      data: { name: 'Ada', items: [{ id: 7 }] },
      headers: expect.objectContaining({ 'content-type': 'application/json' }),
    });
    const missing = await execute(apiCall('/missing'));
    expect(missing.body.data.result).toMatchObject({ status: 404, data: { reason: 'none' } });
  });

  test('api_call is tried again after a 503, and the later answer is the result', async () => {
    const answer = await execute(apiCall('/flaky-get'));
    expect(answer.body.data.result).toMatchObject({ status: 200, data: { tries: 2 } });
  });

  test('api_call sends a POST once, whatever the answer', async () => {
    const answer = await execute(apiCall('/flaky-post', { method: 'POST', body: { a: 1 } }));
    expect(answer.body.data.result.status).toBe(503);
    expect(peer.count('/flaky-post')).toBe(1);
  });

  test('a status that `expect` does not have fails the call, with the answer in the details', async () => {
    const { status, body } = await execute(apiCall('/missing', { expect: '2xx' }));
    expect([status, body.message]).toEqual([500, 'Tool execution failed']);
    expect(body.error).toContain('/missing answered 404; expected: "2xx"');
    expect(body.details).toMatchObject({ answer: { status: 404, data: { reason: 'none' } } });
    expect((await execute(apiCall('/missing', { expect: [404] }))).status).toBe(200);
  });

  test.each([
    ['a status that is none', () => apiCall('/user', { expect: '20x' }), 'args.expect'],
    ['an address that is none', () => ({ toolName: 'api_call', args: { url: 'peer' } }), 'args.url'],
    [
      'a JSONPath query that does not parse',
      () => ({ toolName: 'json_reader', args: { jsonString: '{}', path: '$.[' } }),
      'args.path',
    ],
  ])('%s is refused before anything runs', async (_, call, field) => {
    const single = await execute(call());
    expect([single.status, single.body.details]).toMatchObject([400, { field }]);
    const before = peer.requests.length;
    const tools = [apiCall('/user'), call()];
    const sequence = await service.post('/api/tools/execute-sequential', { tools });
    expect([sequence.status, sequence.body.details]).toMatchObject([400, { field: `tools[1].${field}` }]);
    expect(peer.requests).toHaveLength(before);
  });

  test('each changing request has a key of its own, and the same at each attempt', async () => {
    const repeatable = { method: 'POST', repeatable: true };
    const keysAt = (path: string): unknown[] =>
      peer.requests
        .filter((request) => request.path === path)
        .map(({ headers }) => headers['idempotency-key']);
    await execute(apiCall('/flaky-keyed', repeatable));
    const tools = [apiCall('/keyed/1', { method: 'PUT' }), apiCall('/keyed/2', { method: 'DELETE' })];
    await service.post('/api/tools/execute-multiple', { tools });
    await service.post('/api/tools/execute-sequential', { tools });
    await execute(apiCall('/keyed/own', { method: 'POST', headers: { 'idempotency-KEY': 'own' } }));
    await execute(apiCall('/keyed/read'));
    const retried = keysAt('/flaky-keyed');
    expect(retried).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), retried[0]]);
    const others = [...keysAt('/keyed/1'), ...keysAt('/keyed/2')];
    expect(new Set([retried[0], ...others]).size).toBe(5);
    expect([keysAt('/keyed/own'), keysAt('/keyed/read')]).toEqual([['own'], [undefined]]);
  });

  test('a call over its limit is a timeout that names the limit', async () => {
    const answer = await execute({ ...apiCall('/slow'), options: { timeout: 400 } });
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Tool execution timeout',
      error: expect.stringContaining('options.timeout'),
      details: { toolName: 'api_call', timeout: 400 },
    });
  });

  test('a large result travels by reference and arrives whole', async () => {
    const answer = await execute(apiCall('/big'));
    expect(answer.body.data.result.data.text).toHaveLength(600_000);
  });

  test('the same Idempotency-Key is the same run; another request under it is refused', async () => {
    const headers = { 'idempotency-key': `key-${Date.now()}` };
    const path = `/once-${Date.now()}`;
    const first = await service.post('/api/tools/execute', apiCall(path, { method: 'POST' }), headers);
    const second = await service.post('/api/tools/execute', apiCall(path, { method: 'POST' }), headers);
    expect(second.headers.get('x-trace-id')).toBe(first.headers.get('x-trace-id'));
    expect(second.body).toEqual(first.body);
    expect(peer.count(path)).toBe(1);
    const other = await service.post('/api/tools/execute', apiCall(path, { method: 'PUT' }), headers);
    expect(other.status).toBe(409);
  });
});

describe('POST /api/tools/execute-multiple', () => {
  const many = (...tools: unknown[]) => service.post('/api/tools/execute-multiple', { tools });

  test('runs all and answers in the order of the request', async () => {
    const answer = await many(calculator('add', 1, 2), calculator('multiply', 3, 4));
    expect(answer.body).toEqual({
      success: true,
      data: {
        results: [
          { toolName: 'calculator', success: true, data: { result: 3, executionTime: expect.any(Number) } },
          { toolName: 'calculator', success: true, data: { result: 12, executionTime: expect.any(Number) } },
        ],
        totalExecutionTime: expect.any(Number),
        errors: [],
      },
      message: 'Tools executed successfully',
    });
  });

  test('one failure leaves the others alone and is listed', async () => {
    const answer = await many(calculator('divide', 1, 0), calculator('add', 1, 1));
    expect(answer.status).toBe(200);
    expect(answer.body.data.results.map((item: { success: boolean }) => item.success)).toEqual([false, true]);
    expect(answer.body.data.results[0].data.error).toMatch(/division by zero/i);
    expect(answer.body.data.errors).toEqual([
      {
        index: 0,
        toolName: 'calculator',
        code: 'TOOL_EXECUTION_FAILED',
        error: expect.stringMatching(/zero/),
      },
    ]);
  });

  test('the answer is an error where every tool failed', async () => {
    const answer = await many(calculator('divide', 1, 0), calculator('divide', 2, 0));
    expect(answer.status).toBe(500);
    expect(answer.body.message).toBe('Tool execution failed');
    expect(answer.body.details).toMatchObject({ toolName: 'calculator', args: { a: 1 } });
    expect(answer.body.details.errors).toHaveLength(2);
    const late = await service.post('/api/tools/execute-multiple', {
      tools: [apiCall('/slow')],
      options: { timeout: 300 },
    });
    expect(late.body.message).toBe('Tool execution timeout');
    expect(late.body.details).toMatchObject({ toolName: 'api_call', timeout: 300 });
  });

  test('calls that wait, wait at the same time', async () => {
    const answer = await many(apiCall('/together/1'), apiCall('/together/2'));
    expect(
      answer.body.data.results.map((item: { data: { result: { data: object } } }) => item.data.result.data),
    ).toEqual([{ path: '/together/1' }, { path: '/together/2' }]);
  });

  test('an unknown tool or a bad argument anywhere stops the whole before anything runs', async () => {
    const unknown = await many(calculator('add', 1, 1), { toolName: 'nobody' });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({
      success: false,
      message: 'Tool not found',
      error: expect.stringContaining('nobody'),
    });
    const invalid = await many(calculator('add', 1, 1), calculator('add', 1, 'two'));
    expect(invalid.status).toBe(400);
    expect(invalid.body.details.field).toBe('tools[1].args.b');
  });

  test('fifty at once succeed, fifty-one are refused by name of the limit', async () => {
    const fifty = Array.from({ length: 50 }, (_, n) => calculator('add', n, 1));
    const answer = await many(...fifty);
    expect(answer.body.data.results.map((item: { data: { result: number } }) => item.data.result)).toEqual(
      fifty.map((_, n) => n + 1),
    );
    const refused = await many(...fifty, calculator('add', 1, 1));
    expect(refused.status).toBe(400);
    expect(refused.body.details).toEqual({
      field: 'tools',
      message: expect.stringContaining('MAX_TOOLS_PER_CALL'),
    });
  });
});

describe('POST /api/tools/execute-sequential', () => {
  const sequence = (...tools: unknown[]) => service.post('/api/tools/execute-sequential', { tools });

  test('feeds each output forward with its type', async () => {
    const answer = await sequence(calculator('add', 1, 2), calculator('multiply', '{{previous_result}}', 10));
    expect(answer.body).toEqual({
      success: true,
      data: {
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
        ],
        totalExecutionTime: expect.any(Number),
        errors: [],
      },
      message: 'Tools executed sequentially successfully',
    });
  });

  test('reaches into an output by path, and inserts it in a longer text', async () => {
    const answer = await sequence(
      apiCall('/user'),
      calculator('add', '{{previous_result.data.items[0].id}}', 1),
      { toolName: 'api_call', args: { url: `${peer.url}/n/{{previous_result}}`, method: 'GET' } },
    );
    expect(answer.body.data.results[1].data.result).toBe(8);
    expect(peer.count('/n/8')).toBe(1);
    expect(answer.body.data.results[2].data).toMatchObject({
      status: 200,
      data: { method: 'GET', body: '' },
    });
  });

  test('stops at the first failure and says which', async () => {
    const path = '/never-reached';
    const answer = await sequence(
      calculator('add', 1, 1),
      calculator('divide', '{{previous_result}}', 0),
      apiCall(path),
    );
    expect(answer.status).toBe(500);
    expect(answer.body.message).toBe('Tool execution failed');
    expect(answer.body.error).toMatch(/^Step 2 \(calculator\): .*division by zero/i);
    expect(answer.body.details).toMatchObject({
      toolName: 'calculator',
      args: { a: 2, b: 0 },
      stepNumber: 2,
    });
    expect(answer.body.details.completed).toHaveLength(1);
    expect(peer.count(path)).toBe(0);
  });

  test('a path that is not there, or an output of the wrong type, fails that step; text takes any output', async () => {
    const absent = await sequence(apiCall('/user'), calculator('add', '{{previous_result.data.age}}', 1));
    expect(absent.status).toBe(500);
    expect(absent.body.error).toContain('"age"');
    const text = await sequence(apiCall('/user'), {
      toolName: 'json_reader',
      args: { jsonString: '{{previous_result.data}}', path: '$.items[0].id' },
    });
    expect(text.body.data.results[1].data.result).toBe(7);
    const wrong = await sequence(apiCall('/user'), calculator('add', '{{previous_result.data.name}}', 1));
    expect(wrong.status).toBe(500);
    expect(wrong.body.error).toMatch(/args\.a must be .*number/);
    expect(wrong.body.details.stepNumber).toBe(2);
  });

  test('references that would grow without bound fail their step, and the run ends', async () => {
    const answer = await sequence(apiCall('/big'), {
      toolName: 'json_reader',
      args: { jsonString: '{{previous_result}}'.repeat(700), path: '$' },
    });
    expect(answer.status).toBe(500);
    expect(answer.body.error).toMatch(/^Step 2 .*too long/);
  });

  test('the first tool has nothing to refer to', async () => {
    const answer = await sequence(calculator('add', '{{previous_result}}', 1));
    expect(answer.status).toBe(400);
    expect(answer.body.details.field).toBe('tools[0].args');
  });
});

test('a tool whose error has half a surrogate pair fails, and its worker makes further calls', async () => {
  await service.post('/api/tools/register', {
    name: 'throws_half',
    parameters: {},
    execute: String.raw`() => { throw new Error('half \ud800 a pair') }`,
  });
  for (const _ of [1, 2]) {
    const { status, body } = await execute({ toolName: 'throws_half', args: {} });
    expect([status, body.error]).toEqual([500, 'Error: half \ufffd a pair (line 1)']);
  }
});
