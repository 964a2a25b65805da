import { answerApproval, approvalsIn, untilEnded } from '../support/approvals';
import { connectMcp } from '../support/mcp';
import { callsTools, says } from '../support/model-server';
import type { ModelService } from '../support/model-service';
import { type RemoteMcp, startRemoteMcp, structured } from '../support/remote-mcp';
import { useModelService } from '../support/use-service';
import { toolStep } from '../support/workflow-steps';

/** Nested, with a reference, alternatives, choices that are no texts, defaults, and names that no parameter could have. */
const MOVE = {
  type: 'object' as const,
  $defs: { speed: { type: 'integer', enum: [1, 2], default: 1 } },
  properties: {
    position: {
      type: 'object',
      properties: { x: { type: 'number' }, y: { type: 'number' } },
      required: ['x', 'y'],
    },
    tags: { type: 'array', items: { type: 'string' }, default: ['a'] },
    speed: { $ref: '#/$defs/speed' },
    when: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
    $filter: { type: 'string' },
    'fields[]': { type: 'array', items: { type: 'string' } },
    'user.id': { type: 'string' },
  },
  required: ['position'],
};
const OPEN = { type: 'object' as const, additionalProperties: { type: 'number' } };

let service: ModelService;
let robot: RemoteMcp;
beforeAll(async () => {
  const call = (args: Record<string, unknown>) => structured({ args });
  [service, robot] = await Promise.all([
    useModelService(),
    startRemoteMcp({ move: { inputSchema: MOVE as never, call }, open: { inputSchema: OPEN, call } }),
  ]);
  const server = await service.post('/api/mcp-servers', { name: 'robot', url: robot.url, approval: 'never' });
  expect(server.status).toBe(201);
  const execute = '(args) => args';
  for (const tool of [
    { name: 'move', description: 'Moves', parameters: MOVE, execute },
    { name: 'open', parameters: OPEN, execute },
    { name: 'guarded_move', parameters: MOVE, execute, requiresApproval: true },
  ])
    expect((await service.post('/api/tools/register', tool)).status).toBe(201);
});
afterAll(async () => {
  await service.send('DELETE', '/api/mcp-servers/robot');
  await service.stop();
  await robot.close();
});
beforeEach(() => service.hosted.reset());

const register = (parameters: unknown, execute = '(args) => args', name = 'tried') =>
  service.post('/api/tools/register', { name, description: 'p', parameters, execute });
const run = (toolName: string, args: object = {}) => service.post('/api/tools/execute', { toolName, args });

test.each(['move', 'robot.move'])(
  'a model, MCP clients and lists get the schema of %s as it is',
  async (name) => {
    service.hosted.script(says('Nothing to do.'));
    await service.post('/api/tools/mcp', { query: 'move it to 3 4' });
    const offered = service.hosted.requests[0]?.body.tools as {
      function: { name: string; parameters: unknown };
    }[];
    const parametersOf = (tool: string) =>
      offered.find(({ function: { name: given } }) => given === tool.replace('.', '_'))?.function.parameters;
    expect(parametersOf(name)).toEqual(MOVE);
    expect(parametersOf(name.replace('move', 'open'))).toEqual({ ...OPEN, properties: {} });

    const { body } = await service.get(`/api/tools/${name}`);
    expect(body.data).toMatchObject({
      inputSchema: MOVE,
      parameters: { position: 'object', tags: 'array', speed: 'any', when: 'any', $filter: 'string' },
    });
    const definitions = (await service.get('/api/tools/definitions')).body.data as {
      name: string;
      parameters: object;
    }[];
    expect(definitions.find((one) => one.name === name)?.parameters).toMatchObject(MOVE);
    expect(definitions.find((one) => one.name === name.replace('move', 'open'))?.parameters).toEqual({
      ...OPEN,
      properties: {},
      required: [],
    });
    const { client, close } = await connectMcp(service.url, 'modern');
    try {
      const { tools } = await client.listTools();
      expect(tools.find((one) => one.name === name.replace('.', '__'))?.inputSchema).toEqual(MOVE);
    } finally {
      await close();
    }
  },
);

test.each(['move', 'robot.move'])('%s is checked whole before anything runs', async (name) => {
  const wrong = { position: { x: '3' }, tags: [1], speed: 3, when: 5, other: 1 };
  const { status, body } = await run(name, wrong);
  expect([status, body.error]).toEqual([400, 'Invalid input data']);
  expect(body.details).toMatchObject({
    field: 'args.position.y',
    message: 'is required (number)',
    problems: [
      { pointer: '/args/position/y' },
      { pointer: '/args/position/x', message: 'must be a finite number, got a string' },
      { pointer: '/args/tags/0' },
      { pointer: '/args/speed', message: 'must be one of 1, 2; got the number 3' },
      { pointer: '/args/when' },
      {
        pointer: '/args/other',
        message: expect.stringMatching(/is not an argument of this tool; it takes pos/),
      },
    ],
  });
  expect(body.details.problems).toHaveLength(6);
  expect(robot.calls).toEqual([]);
});

test('defaults are there when a tool runs, and what its schema leaves open is taken', async () => {
  const args = { position: { x: 1, y: 2 }, 'user.id': 'u', 'fields[]': ['f'] };
  const filled = { ...args, tags: ['a'] };
  expect((await run('move', args)).body.data.result).toEqual(filled);
  expect((await run('robot.move', args)).body.data.result).toEqual({ args: filled });
  expect(robot.calls.splice(0)).toEqual([{ tool: 'move', args: filled }]);
  expect((await run('open', { a: 1, b: 2 })).body.data.result).toEqual({ a: 1, b: 2 });
  expect((await run('open', { a: 'x' })).body.details.field).toBe('args.a');
});

test('a call of a model gets its defaults, and is objected to by all that its schema refuses', async () => {
  const good = { position: { x: 3, y: 4 } };
  service.hosted.script(
    callsTools([{ name: 'robot_move', args: { position: { x: 'three' } } }]),
    callsTools([{ name: 'robot_move', args: good }]),
    says('Moved.'),
  );
  const { status, body } = await service.post('/api/tools/mcp', { query: 'move it to 3 4' });
  expect([status, body.data.finalResult]).toEqual([200, { args: { ...good, tags: ['a'] } }]);
  const [, objected] = service.hosted.requests;
  expect(JSON.stringify(objected?.body.messages)).toMatch(
    /position\.y is required.*position\.x must be a finite/,
  );
  robot.calls.length = 0;
});

test('a schema of an object without properties declares none, and takes any', async () => {
  expect((await register({ type: 'object' })).status).toBe(201);
  expect((await run('tried', { any: 1 })).body.data.result).toEqual({ any: 1 });
  expect((await register({ type: 'object', additionalProperties: false })).status).toBe(201);
  expect((await run('tried')).status).toBe(200);
  expect((await run('tried', { any: 1 })).status).toBe(400);
});

test.each<[string, object, string, RegExp]>([
  [
    'a type that is none',
    { properties: { a: { type: 'strng' } } },
    'parameters.properties.a.type',
    /one of array, boolean.*got "strng"/,
  ],
  [
    'another document',
    { properties: { a: { $ref: 'https://a.example/s' } } },
    'parameters',
    /can't resolve reference/,
  ],
  [
    'a part that is not there',
    { properties: { a: { $ref: '#/$defs/a' } } },
    'parameters',
    /can't resolve reference/,
  ],
  [
    'a pattern that is none',
    { properties: { a: { pattern: '(' } } },
    'parameters',
    /Invalid regular expression/,
  ],
  ['an unknown dialect', { $schema: 'urn:other', properties: {} }, 'parameters', /there are 2020-12/],
])('a schema with %s is refused when it is registered', async (_, schema, field, message) => {
  const { status, body } = await register({ type: 'object', ...schema });
  expect([status, body.details.field]).toEqual([400, field]);
  expect(body.details.message).toMatch(message);
});

test('other arguments of an approved call are checked whole, and get their defaults', async () => {
  const key = { 'idempotency-key': 'guarded-move-schema' };
  const args = { position: { x: 1, y: 2 } };
  const start = () => service.post('/api/tools/execute', { toolName: 'guarded_move', args }, key);
  const [approval] = approvalsIn(await start());
  const answer = (given: object) =>
    service.post(`/api/approvals/${approval!.id}`, { decision: 'approve', args: given });
  expect((await answer({ position: { x: 'a', y: 2 } })).body.details).toMatchObject({
    field: 'args.position.x',
    problems: [{ pointer: '/args/position/x' }],
  });
  await answerApproval(service, approval!, { decision: 'approve', args: { position: { x: 5, y: 6 } } });
  const done = await untilEnded(start);
  expect(done.body.data.result).toEqual({ position: { x: 5, y: 6 }, tags: ['a'] });
});

test('a request with several wrong calls or steps is told all of their problems', async () => {
  const wrong = { toolName: 'move', args: { position: { x: 1 } } };
  const calls = await service.post('/api/tools/execute-multiple', {
    tools: [wrong, { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } }, wrong],
  });
  expect([calls.status, calls.body.details]).toMatchObject([
    400,
    {
      field: 'tools[0].args.position.y',
      problems: [{ pointer: '/tools/0/args/position/y' }, { pointer: '/tools/2/args/position/y' }],
    },
  ]);
  const steps = [toolStep('one', 'move', wrong.args), toolStep('two', 'move', wrong.args)];
  const { body } = await service.post('/api/workflow/execute-custom', { workflow: { name: 'moves', steps } });
  expect(body.details).toMatchObject({
    step: 'one',
    problems: [
      { step: 'one', pointer: '/config/args/position/y' },
      { step: 'two', pointer: '/config/args/position/y' },
    ],
  });
});

test('a step is checked as far as its templates allow before the run, and whole when it runs', async () => {
  const steps = (x: unknown, y: unknown) => ({
    workflow: {
      name: 'moves',
      steps: [
        toolStep('first', 'open', { n: 7 }),
        toolStep('move', 'move', { position: { x, y }, when: '{{first.result.n}}' }),
      ],
    },
  });
  const refused = await service.post('/api/workflow/execute-custom', steps('{{first.result.n}}', 'b'));
  expect([refused.status, refused.body.details]).toMatchObject([
    400,
    { step: 'move', field: 'config.args.position.y', problems: [{ pointer: '/config/args/position/y' }] },
  ]);
  const failed = await service.post('/api/workflow/execute-custom', steps('{{first.result.n}}', 1));
  expect([failed.status, failed.body.error]).toEqual([500, expect.stringMatching(/args\.when fits none/)]);
});

test('inputs of a workflow are a schema, checked with defaults, and shown to MCP clients', async () => {
  const inputs = {
    type: 'object',
    properties: {
      at: MOVE.properties.position,
      tags: { type: 'array', items: { type: 'string' }, default: ['w'] },
    },
    required: ['at'],
  };
  const steps = [toolStep('move', 'move', { position: '{{input.at}}', tags: '{{input.tags}}' })];
  const stored = await service.post('/api/workflow/workflows', { id: 'moves', name: 'Moves', inputs, steps });
  try {
    expect([stored.status, stored.body.data.inputSchema]).toEqual([201, inputs]);
    const start = (given: object) =>
      service.post('/api/workflow/execute-custom', { workflowId: 'moves', inputs: given });
    expect((await start({ at: { x: 1, y: 2 } })).body.data.results.move.result).toEqual({
      position: { x: 1, y: 2 },
      tags: ['w'],
    });
    expect((await start({ at: { x: 'a' }, more: 1 })).body.details).toMatchObject({
      step: null,
      field: 'inputs.at.y',
      problems: [{ pointer: '/inputs/at/y' }, { pointer: '/inputs/at/x' }, { pointer: '/inputs/more' }],
    });
    const { client, close } = await connectMcp(service.url, 'modern');
    try {
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === 'workflow_moves')?.inputSchema).toEqual(inputs);
      const { messages } = await client.getPrompt({ name: 'moves', arguments: { at: '{"x":1,"y":2}' } });
      expect(JSON.stringify(messages)).toContain(
        JSON.stringify(JSON.stringify({ at: { x: 1, y: 2 }, tags: ['w'] })).slice(1, -1),
      );
      await expect(client.getPrompt({ name: 'moves', arguments: { at: '{"x":"a"}' } })).rejects.toMatchObject(
        {
          code: -32602,
        },
      );
    } finally {
      await close();
    }
    const wrong = await service.post('/api/workflow/workflows', {
      id: 'moves',
      name: 'Moves',
      inputs: { type: 'object', properties: { at: { type: 'pint' } } },
      steps,
    });
    expect([wrong.status, wrong.body.details]).toMatchObject([
      400,
      { step: null, field: 'inputs.properties.at.type' },
    ]);
  } finally {
    await service.send('DELETE', '/api/workflow/workflows/moves');
  }
});
