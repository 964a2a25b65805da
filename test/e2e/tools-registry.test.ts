import { type Service, startService } from '../support/service';
import { connectTemporal } from '../support/temporal-client';
import { waitFor } from '../support/wait';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const register = (body: unknown) => service.post('/api/tools/register', body);
const run = (toolName: string, args = {}, options = {}) =>
  service.post('/api/tools/execute', { toolName, args, options });

test('lists the built-in tools with their parameter types', async () => {
  const { body } = await service.get('/api/tools');
  expect(body.message).toBe('Tools retrieved successfully');
  const names = body.data.map((tool: { name: string }) => tool.name);
  expect(names).toEqual(['api_call', 'calculator', 'file_read', 'json_reader', 'weather']);
  expect(body.data[1]).toEqual({
    name: 'calculator',
    description: expect.any(String),
    parameters: { operation: 'string', a: 'number', b: 'number' },
    inputSchema: expect.objectContaining({ required: ['operation', 'a', 'b'] }),
  });
  expect((await service.get('/api/tools/calculator')).body.data).toEqual(body.data[1]);
});

test('definitions carry type, enum, description and required', async () => {
  const { body } = await service.get('/api/tools/definitions');
  const calculator = body.data.find((tool: { name: string }) => tool.name === 'calculator');
  expect(calculator.parameters).toEqual({
    type: 'object',
    properties: {
      operation: {
        type: 'string',
        enum: ['add', 'subtract', 'multiply', 'divide'],
        description: expect.any(String),
      },
      a: { type: 'number', description: expect.any(String) },
      b: { type: 'number', description: expect.any(String) },
    },
    required: ['operation', 'a', 'b'],
  });
});

test('an unknown tool is not found, by every way to ask for it', async () => {
  for (const answer of [
    await service.get('/api/tools/nobody'),
    await service.send('DELETE', '/api/tools/nobody'),
    await run('nobody'),
  ]) {
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Tool not found',
      error: expect.stringContaining('nobody'),
    });
  }
});

describe('a registered tool', () => {
  test('is created, answered without its source, run and removed', async () => {
    const created = await register({
      name: 'greet',
      description: 'Greets.',
      parameters: { name: 'string', loud: { type: 'boolean', required: false } },
      execute:
        '({ name, loud }) => { console.log("greeting", name); return loud ? `HELLO ${name}` : `hello ${name}`; }',
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      success: true,
      data: {
        name: 'greet',
        description: 'Greets.',
        parameters: { name: 'string', loud: 'boolean' },
        inputSchema: {
          type: 'object',
          properties: {
            name: { type: 'string', description: '' },
            loud: { type: 'boolean', description: '' },
          },
          required: ['name'],
        },
      },
      message: 'Tool registered successfully',
    });
    const answer = await run('greet', { name: 'Ada' });
    expect(answer.body.data).toEqual({
      result: 'hello Ada',
      executionTime: expect.any(Number),
      toolName: 'greet',
      logs: ['greeting Ada'],
    });
    expect((await run('greet', { loud: true })).body.details.field).toBe('args.name');
    const removed = await service.send('DELETE', '/api/tools/greet');
    expect(removed.body).toEqual({
      success: true,
      data: { name: 'greet' },
      message: 'Tool removed successfully',
    });
    expect((await run('greet', { name: 'Ada' })).status).toBe(404);
  });

  test('may be async, a function or a body', async () => {
    const sources = [
      'async (args) => { await null; return args.n * 2; }',
      'function double(args) { return args.n * 2 }',
      'const twice = args.n * 2; return twice;',
    ];
    for (const execute of sources) {
      await register({ name: 'double', parameters: { n: 'number' }, execute });
      expect((await run('double', { n: 21 })).body.data.result).toBe(42);
    }
  });

  test('without an implementation is a definition that says so when run', async () => {
    expect((await register({ name: 'planned', parameters: {} })).status).toBe(201);
    const answer = await run('planned');
    expect(answer.status).toBe(500);
    expect(answer.body.error).toMatch(/without an implementation/);
  });

  test('whose source does not parse is refused with the position', async () => {
    const answer = await register({
      name: 'broken',
      parameters: {},
      execute: '(args) => {\n  return args.;\n}',
    });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toEqual({ field: 'execute', message: expect.stringMatching(/line 2/) });
  });

  test('that uses what the sandbox does not have is refused with what to use instead, and one that is stored stays', async () => {
    const before = { name: 'fetching', parameters: {}, execute: '() => 1' };
    expect((await register(before)).status).toBe(201);
    const execute = 'async (args) => {\n  return (await fetch(args.url)).json();\n}';
    const answer = await register({ ...before, execute });
    expect([answer.status, answer.body.details]).toEqual([
      400,
      {
        field: 'execute',
        message: expect.stringMatching(/^uses fetch at line 2, column 17, .*api_call.*MCP server/),
      },
    ]);
    expect((await run('fetching')).body.data.result).toBe(1);
  });

  test('that never ends is stopped at its limit, and the worker lives on', async () => {
    await expectFailure('while (true);', 'Tool execution timeout', 1_500);
  });

  test.each([
    'await new Promise(() => {})',
    'throw new Error("no luck")',
    'return NaN',
    'const a = {}; a.a = a; return a',
    'const f = () => f(); return f()',
    'return "x".repeat(20_000_000)',
    'return globalThis.require("fs")',
  ])('that does %s ends in a clear error, and the worker lives on', async (execute) => {
    await expectFailure(execute, 'Tool execution failed', 30_000);
  });

  async function expectFailure(execute: string, message: string, timeout: number): Promise<void> {
    await register({ name: 'abuse', parameters: {}, execute });
    const answer = await run('abuse', {}, { timeout });
    expect(answer.status).toBe(500);
    expect(answer.body.message).toBe(message);
    expect(answer.body.error.length).toBeGreaterThan(5);
    expect((await run('calculator', { operation: 'add', a: 1, b: 1 })).body.data.result).toBe(2);
  }

  test('that is removed while a run of it is under way finishes there', async () => {
    const execute = 'const end = Date.now() + 1500; while (Date.now() < end); return "done"';
    await register({ name: 'lasting', parameters: {}, execute });
    const headers = { 'idempotency-key': 'removal' };
    const running = service.post('/api/tools/execute', { toolName: 'lasting' }, headers);
    const temporal = await connectTemporal();
    await waitFor(
      async () => (await temporal.client.workflow.getHandle('execute-tool/key-removal').describe()) && true,
      { what: 'the run to be under way' },
    );
    await temporal.close();
    expect((await service.send('DELETE', '/api/tools/lasting')).status).toBe(200);
    expect((await running).body.data.result).toBe('done');
  });
});

describe('a registration is refused', () => {
  test.each([
    ['without a name', { parameters: {} }, 'name'],
    ['with a name of the wrong type', { name: 7 }, 'name'],
    ['with an empty name', { name: '' }, 'name'],
    ['with an over-long name', { name: 'x'.repeat(65) }, 'name'],
    ['under the name of a path', { name: 'stats' }, 'name'],
    ['under __proto__', { name: '__proto__' }, 'name'],
    ['under constructor', { name: 'constructor' }, 'name'],
    ['with an unknown type', { name: 'ok', parameters: { a: 'float' } }, 'parameters.a'],
    [
      'with a constructor parameter',
      { name: 'ok', parameters: { constructor: 'string' } },
      'parameters.constructor',
    ],
    ['with a source that is no text', { name: 'ok', execute: 7 }, 'execute'],
    ['with too much source', { name: 'ok', execute: `/*${'x'.repeat(70_000)}*/` }, 'execute'],
  ])('%s', async (_case, body, field) => {
    const answer = await register(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Validation error',
      error: 'Invalid input data',
      details: { field, message: expect.any(String) },
    });
  });
});

test('statistics count each call once and lose nothing at a restart', async () => {
  const before = (await service.get('/api/tools/stats')).body.data;
  await run('calculator', { operation: 'add', a: 1, b: 1 });
  await run('calculator', { operation: 'divide', a: 1, b: 0 });
  const { body } = await service.get('/api/tools/stats');
  expect(body.data).toEqual({
    totalExecutions: before.totalExecutions + 2,
    successfulExecutions: before.successfulExecutions + 1,
    failedExecutions: before.failedExecutions + 1,
    averageExecutionTime: expect.any(Number),
    totalTools: expect.any(Number),
    mostUsedTool: expect.any(String),
    lastExecution: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

test('clear removes all, restore brings the built-in ones back', async () => {
  const count = (await service.get('/api/tools')).body.data.length;
  const cleared = await service.post('/api/tools/clear');
  expect(cleared.body.data).toEqual({ cleared: count });
  expect((await service.get('/api/tools')).body.data).toEqual([]);
  const restored = await service.post('/api/tools/restore');
  expect(restored.body.data.restored).toHaveLength(5);
  expect((await run('calculator', { operation: 'add', a: 1, b: 1 })).status).toBe(200);
});
