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
  service = await startModelService();
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
beforeEach(() => service.hosted.reset());

/** Allows the model to reach the peer, which no query names. */
const mcp = (query = 'do it', more: object = {}, headers?: Record<string, string>): Promise<Answer> => {
  const options = { allow: { hosts: [new URL(peer.url).host] } };
  return service.post('/api/tools/mcp', { query, options, ...more }, headers);
};
describe('POST /api/tools/mcp', () => {
  test('runs what the model chooses, and tells the run', async () => {
    service.hosted.script(callsTools([calculates('add', 2, 3)]), says('It is five.', { usage: [20, 6] }));
    const answer = await mcp('what is two and three');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: {
        success: true,
        finalResult: 5,
        allResults: { calculator: 5 },
        executionOrder: ['calculator'],
        errors: [],
        executionTime: expect.any(Number),
        traceId: answer.headers.get('x-trace-id'),
        workflowId: answer.headers.get('x-workflow-id'),
        answer: 'It is five.',
        iterations: 1,
        usage: { promptTokens: 30, completionTokens: 11, costUsd: null, modelCalls: 2, toolCalls: 1 },
        llmUsage: usage(30, 11),
        provider: 'hosted',
        model: 'hosted-model',
      },
      message: 'MCP execution completed successfully',
    });
    const run = await service.get(
      `/api/runs/${answer.body.data.traceId}?workflowId=${answer.body.data.workflowId}`,
    );
    expect(run.body.data).toMatchObject({ type: 'mcpExecution', status: 'completed' });
  });

  test('feeds each result forward to the model, tied to its call', async () => {
    service.hosted.script(
      callsTools([{ ...fetches(`${peer.url}/user`), id: 'call_first' }]),
      callsTools([{ ...calculates('add', 7, 1), id: 'call_second' }]),
      says('Done.'),
    );
    const { body } = await mcp('take the id of the first item and add one');
    expect(body.data).toMatchObject({ finalResult: 8, executionOrder: ['api_call', 'calculator'] });

    const [, second, third] = service.hosted.requests;
    expect(second?.body.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'take the id of the first item and add one' },
      { role: 'assistant', tool_calls: [{ id: 'call_first', function: { name: 'api_call' } }] },
      { role: 'tool', tool_call_id: 'call_first' },
    ]);
    expect(outcomesIn(second).map((text) => JSON.parse(text) as unknown)).toEqual([
      { status: 200, data: { path: '/user', items: [{ id: 7 }] } },
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
    const { body } = await mcp('double twenty-one');
    expect(body.data).toMatchObject({ finalResult: 42, allResults: { [name]: 42 } });
    const [request] = service.hosted.requests;
    expect(offeredIn(request)).toEqual(
      expect.arrayContaining(['calculator', 'api_call', 'json_reader', 'file_read', 'weather', name]),
    );
    expect(request?.body.tool_choice).toBe('auto');
    await service.send('DELETE', `/api/tools/${name}`);
    await mcp();
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
    const { body } = await mcp();
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
    const { body } = await mcp();
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
    const { body } = await mcp();
    expect(body.data).toMatchObject({
      success: true,
      allResults: { calculator: 2, calculator_2: 4, calculator_3: 6, api_call: { status: 200 } },
      executionOrder: ['calculator', 'calculator', 'api_call', 'calculator'],
      finalResult: 6,
      iterations: 2,
    });
    expect(outcomesIn(service.hosted.requests[1]).slice(0, 2)).toEqual(['2', '4']);
  });

  test('needs no tool where the model has the answer', async () => {
    service.hosted.script(says('Paris.'));
    const { body } = await mcp('what is the capital of France');
    expect(body.message).toBe('MCP execution completed successfully');
    expect(body.data).toMatchObject({
      success: true,
      finalResult: 'Paris.',
      answer: 'Paris.',
      allResults: {},
      executionOrder: [],
      iterations: 0,
    });
  });

  test('shows the model the beginning of a very long output, and the caller all of it', async () => {
    service.hosted.script(callsTools([fetches(`${peer.url}/long`)]), says('Long.'));
    const { body } = await mcp();
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
    expect((await mcp()).status).toBe(200);
    const shown = outcomesIn(service.hosted.requests[1]);
    expect(shown).toEqual([expect.stringContaining('😀…'), expect.stringContaining('😀…')]);
    expect(shown.filter((text) => /\p{Surrogate}/u.test(text))).toEqual([]);
  });

  test('a repeat with the same key gets the first run, and nothing is asked or run again', async () => {
    const path = `/once-${randomUUID()}`;
    service.hosted.script(callsTools([fetches(peer.url + path)]), says('Done.'));
    const headers = { 'idempotency-key': randomUUID() };
    const first = await mcp('fetch it', {}, headers);
    const repeat = await mcp('fetch it', {}, headers);
    expect(first.status).toBe(200);
    expect(repeat.body).toEqual(first.body);
    expect(service.hosted.requests).toHaveLength(2);
    expect(peer.count(path)).toBe(1);
    expect((await mcp('fetch another', {}, headers)).status).toBe(409);
  });

  test.each([
    ['missing', {}, 'query is required'],
    ['empty', { query: '' }, 'must not be empty'],
    ['blank', { query: '  ' }, 'must not be empty'],
  ])('a query that is %s is refused', async (_case, request, message) => {
    const answer = await service.post('/api/tools/mcp', request);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Validation error',
      error: 'Invalid input data',
      details: { field: 'query', message },
    });
    expect(service.hosted.requests).toEqual([]);
  });
});
