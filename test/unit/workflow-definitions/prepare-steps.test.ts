import type { StoredTool } from '../../../src/contracts/http/tools';
import type { PreparedStep } from '../../../src/contracts/runs/workflows';
import type { WorkflowStep } from '../../../src/contracts/http/workflows';
import { HoldfastError } from '../../../src/base/errors';
import { builtinDefinitions } from '../../../src/tools/builtin/declarations';
import { prepareSteps, type PrepareStepsPorts } from '../../../src/workflow-definitions/prepare-steps';
import { callChecks } from '../../support/argument-checks';
import { errorOf, fetchStep, modelStep, schemas, toolStep } from './fixtures';

const TOOLS = new Map(
  builtinDefinitions.map((tool) => [
    tool.name,
    { ...tool, implementation: { kind: 'builtin' } } as StoredTool,
  ]),
);

const asked: (readonly string[])[] = [];
const ports: PrepareStepsPorts = {
  schemas,
  ...callChecks,
  registry: {
    getMany: async (names) => {
      asked.push(names);
      return new Map(names.flatMap((name) => (TOOLS.has(name) ? [[name, TOOLS.get(name)!] as const] : [])));
    },
  },
  chooseModel: ({ model, ...options }) => {
    if (model === 'unknown') throw new HoldfastError('MODEL_UNKNOWN', 'There is no such model');
    return { provider: 'builtin', model: model ?? 'default', ...options };
  },
  toolLimits: { timeoutMs: 30_000, source: 'TOOL_TIMEOUT_MS', maxAttempts: 3 },
  modelLimits: { timeoutMs: 60_000, maxAttempts: 1 },
};

beforeEach(() => {
  asked.length = 0;
});

const prepare = (steps: readonly WorkflowStep[], inputs = {}) => prepareSteps(ports, steps, inputs);
const only = async (step: WorkflowStep, inputs = {}): Promise<PreparedStep> =>
  (await prepare([step], inputs)).steps[0]!;
const add = (a: unknown, b: unknown, more = {}) =>
  toolStep('sum', 'calculator', { operation: 'add', a, b }, more);

describe('a step that sends a request', () => {
  const withTools = (tools: ReadonlyMap<string, StoredTool>) =>
    prepareSteps({ ...ports, registry: { getMany: async () => tools } }, [fetchStep('fetch')], {});

  test('is refused if there is no tool for it', async () => {
    expect((await errorOf(() => withTools(new Map()))).details).toEqual({
      step: 'fetch',
      field: 'type',
      message: 'There is no tool named "api_call", which steps of this type run',
    });
  });

  test('runs the tool that has the name now', async () => {
    const registered = {
      ...TOOLS.get('api_call')!,
      implementation: { kind: 'source', source: '() => 1' },
    } as const;
    const { steps } = await withTools(new Map([['api_call', registered]]));
    const { implementation, inputSchema } = registered;
    expect(steps[0]?.execution).toMatchObject({
      tool: { toolName: 'api_call', implementation, inputSchema },
    });
  });
});

describe('a prepared step', () => {
  test('carries the tool itself, looked up once for all steps', async () => {
    const { steps } = await prepare([
      add(1, 2),
      fetchStep('fetch'),
      toolStep('more', 'calculator', { operation: 'add', a: '{{sum.result}}', b: 1 }),
    ]);
    expect(asked).toEqual([['calculator', 'api_call']]);
    expect(steps.map(({ execution }) => execution)).toEqual([
      expect.objectContaining({
        tool: {
          toolName: 'calculator',
          implementation: { kind: 'builtin' },
          inputSchema: TOOLS.get('calculator')!.inputSchema,
        },
      }),
      expect.objectContaining({ tool: expect.objectContaining({ toolName: 'api_call' }) }),
      expect.objectContaining({ kind: 'tool' }),
    ]);
    expect(steps.map(({ waitsFor }) => waitsFor)).toEqual([[], ['sum'], ['sum', 'fetch']]);
  });

  test('has the limits of the service, or its own', async () => {
    expect((await only(add(1, 2))).execution.limits).toEqual(ports.toolLimits);
    const retry = { maximumAttempts: 7, initialInterval: 9_000, backoffCoefficient: 1 };
    expect((await only(add(1, 2, { timeout: 500, retry }))).execution.limits).toEqual({
      timeoutMs: 500,
      source: 'timeout',
      maxAttempts: 7,
      delays: { firstMs: 9_000, factor: 1, longestMs: 9_000 },
    });
    expect(
      (await only(modelStep('ask', {}, { timeout: 700, retry: { maximumAttempts: 2 } }))).execution.limits,
    ).toEqual({
      timeoutMs: 700,
      maxAttempts: 2,
    });
  });

  test('never waits longer before the first repeat than the longest wait it names', async () => {
    const { execution } = await only(add(1, 2, { retry: { maximumInterval: 100 } }));
    expect(execution.limits).toMatchObject({ delays: { firstMs: 100, longestMs: 100 } });
  });

  test('has its model chosen, which an input may name', async () => {
    const step = modelStep('ask', { model: '{{input.model}}', temperature: 0.5 });
    expect((await only(step, { model: 'tiny' })).execution).toMatchObject({
      choice: { provider: 'builtin', model: 'tiny', temperature: 0.5 },
    });
  });

  test('keeps its configuration as it is written; what is known is told beside', async () => {
    const steps = [
      fetchStep('fetch', { url: '{{input.base}}/{{id}}', params: '{{query}}' }),
      add('{{fetch.result.status}}', '{{input.n}}', { forEach: { items: [1] } }),
      modelStep('ask', { prompt: '{{input.n}}: {{previous_result}} {{{{n}}}}' }),
    ];
    const inputs = { base: 'http://peer', id: 7, query: { q: ['a'] }, n: 5 };
    const prepared = await prepare(steps, inputs);
    expect(prepared.steps.map(({ step }) => step)).toEqual(steps);
    expect(Object.fromEntries(prepared.configurations)).toEqual({
      fetch: { url: 'http://peer/7', params: { q: ['a'] } },
      sum: { toolName: 'calculator', args: { operation: 'add', a: '{{fetch.result.status}}', b: 5 } },
      ask: { prompt: '5: {{previous_result}} {{5}}' },
    });
  });

  test('reads items and the result before it from the run, also where inputs have these names', async () => {
    const steps = [
      add(1, 2),
      toolStep(
        'each',
        'calculator',
        { operation: 'add', a: '{{item}}', b: '{{index}}' },
        { forEach: { items: [1] } },
      ),
      modelStep('ask', { prompt: '{{previous_result}} {{input.item}}' }),
    ];
    const inputs = { item: 'an input', index: 'an input', previous_result: 'an input' };
    const { configurations } = await prepare(steps, inputs);
    expect(configurations.get('each')).toMatchObject({ args: { a: '{{item}}', b: '{{index}}' } });
    expect(configurations.get('ask')).toMatchObject({ prompt: '{{previous_result}} an input' });
  });

  test('may give any input to a parameter that takes text, as the run will', async () => {
    const read = toolStep('read', 'json_reader', { jsonString: '{{input.document}}', path: '$.a' });
    await expect(only(read, { document: { a: 1 } })).resolves.toBeDefined();
  });
});

test.each<[string, WorkflowStep, string, RegExp]>([
  ['an unknown tool', toolStep('s', 'nobody'), 'config.toolName', /no tool named "nobody"/],
  ['an argument of the wrong type', add(1, 'two'), 'config.args.b', /must be a finite number/],
  [
    'an argument that an input makes wrong',
    add(1, '{{input.text}}'),
    'config.args.b',
    /must be a finite number/,
  ],
  [
    'a missing argument',
    toolStep('s', 'calculator', { operation: 'add', a: 1 }),
    'config.args.b',
    /required/,
  ],
  [
    'an unknown argument',
    toolStep('s', 'calculator', { operation: 'add', a: 1, b: 2, c: 3 }),
    'config.args.c',
    /not an argument/,
  ],
  ['an address that is none', fetchStep('s', { url: 'peer/path' }), 'config.url', /http or https/],
  ['another protocol', fetchStep('s', { url: 'file:///etc/passwd' }), 'config.url', /http or https/],
  [
    'an address that an input makes wrong',
    fetchStep('s', { url: '{{input.text}}' }),
    'config.url',
    /http or https/,
  ],
  ['an address that is a number', fetchStep('s', { url: '{{input.number}}' }), 'config.url', /http or https/],
  ['an unknown method', fetchStep('s', { method: 'BREW' }), 'config.method', /must be one of GET/],
  [
    'a method that is a number',
    fetchStep('s', { method: '{{input.number}}' }),
    'config.method',
    /one of GET/,
  ],
  ['a method that is null', fetchStep('s', { method: '{{input.nothing}}' }), 'config.method', /one of GET/],
  [
    'headers that an input makes wrong',
    fetchStep('s', { headers: '{{input.text}}' }),
    'config.headers',
    /must be an object/,
  ],
  [
    'params that an input makes wrong',
    fetchStep('s', { params: '{{input.list}}' }),
    'config.params',
    /must be an object/,
  ],
  ['an unknown model', modelStep('s', { model: 'unknown' }), 'config.model', /no such model/],
  [
    'a model that is a number',
    modelStep('s', { model: '{{input.number}}' }),
    'config.model',
    /name of a model/,
  ],
  ['a model that is null', modelStep('s', { model: '{{input.nothing}}' }), 'config.model', /name of a model/],
  [
    'a timeout above the limit',
    fetchStep('s', {}, { timeout: 30_001 }),
    'timeout',
    /at most 30000 ms \(TOOL_TIMEOUT_MS\)/,
  ],
  ['the same of a model', modelStep('s', {}, { timeout: 60_001 }), 'timeout', /LLM_TIMEOUT_MS/],
  [
    'a longest wait below the first',
    fetchStep('s', {}, { retry: { initialInterval: 500, maximumInterval: 400 } }),
    'retry.maximumInterval',
    /at least initialInterval, 500 ms/,
  ],
  [
    'the same of a model',
    modelStep('s', {}, { retry: { initialInterval: 500, maximumInterval: 400 } }),
    'retry.maximumInterval',
    /at least initialInterval/,
  ],
  [
    'items that an input makes no list',
    fetchStep('s', {}, { forEach: { items: '{{input.text}}' } }),
    'forEach.items',
    /must be a list, it is of type string/,
  ],
  [
    'more items than a run may have',
    fetchStep('s', {}, { forEach: { items: '{{input.many}}' } }),
    'forEach.items',
    /1001 items; at most 1000/,
  ],
  [
    'the same where it may be skipped',
    fetchStep('s', {}, { when: '{{number}} > 1', forEach: { items: '{{input.many}}' } }),
    'forEach.items',
    /1001 items/,
  ],
  [
    'a long input named very often',
    modelStep('s', { prompt: 'x{{input.long}}'.repeat(90) }),
    'config',
    /too long/,
  ],
])('%s is refused before anything runs', async (_problem, step, field, message) => {
  const inputs = {
    text: 'no number',
    number: 5,
    nothing: null,
    list: [1],
    many: Array.from({ length: 1_001 }, (_, n) => n),
    long: 'x'.repeat(100_000),
  };
  const error = await errorOf(() => only(step, inputs));
  expect(error.code).toBe('WORKFLOW_INVALID');
  expect(error.details).toMatchObject({ step: step.id, field, message: expect.stringMatching(message) });
});

test('items of several steps count together, except of those that may be skipped', async () => {
  const each = (id: string, count: number, more = {}) =>
    fetchStep(id, {}, { forEach: { items: Array.from({ length: count }, () => 1) }, ...more });
  await expect(prepare([each('a', 600), each('b', 400)])).resolves.toBeDefined();
  await expect(prepare([each('a', 600), each('b', 600, { when: 'false' })])).resolves.toBeDefined();
  const error = await errorOf(() => prepare([each('a', 600), each('b', 401)]));
  expect(error.details).toMatchObject({ step: 'b', field: 'forEach.items' });
});

test('inputs named by many steps are refused once all of them become too long', async () => {
  const ask = (n: number) => modelStep(`s${n}`, { prompt: '{{input.long}} '.repeat(8) });
  const steps = Array.from({ length: 10 }, (_, n) => ask(n));
  const error = await errorOf(() => prepare(steps, { long: 'x'.repeat(1_000_000) }));
  expect(error.details).toEqual({
    step: 's8',
    field: 'config',
    message: expect.stringContaining('too long'),
  });
  await expect(prepare(steps.slice(0, 8), { long: 'x'.repeat(1_000_000) })).resolves.toBeDefined();
});

test('lists of many steps that name a long input are refused as soon as they become too long together', async () => {
  const inputs = { long: Array.from({ length: 100_000 }, () => 'x'.repeat(7)) };
  const each = (n: number) =>
    fetchStep(`s${n}`, {}, { forEach: { items: Array.from({ length: 8 }, () => '{{input.long}}') } });
  const steps = Array.from({ length: 50 }, (_, n) => each(n));
  const error = await errorOf(() => prepare(steps, inputs));
  expect(error.details).toEqual({
    step: 's8',
    field: 'forEach.items',
    message: expect.stringContaining('too long'),
  });
});

test('calls that are known to send too much together are refused, except of steps that may be skipped', async () => {
  const inputs = { long: 'x'.repeat(900_000), items: Array.from({ length: 100 }, (_, n) => n) };
  const each = (id: string, items: unknown, more = {}) =>
    toolStep(id, 'json_reader', { jsonString: '{{input.long}}', path: '$' }, { forEach: { items }, ...more });
  const error = await errorOf(() =>
    prepare([each('a', '{{input.items}}'), each('b', inputs.items), each('c', inputs.items)], inputs),
  );
  expect(error.details).toEqual({
    step: 'c',
    field: 'forEach',
    message: 'the calls of the steps up to this one would send more than 268435456 characters together',
  });
  const mayBeSkipped = [each('a', inputs.items), each('b', inputs.items, { when: '{{input.long}} == 1' })];
  await expect(prepare([...mayBeSkipped, each('c', inputs.items)], inputs)).resolves.toBeDefined();
  const unknown = toolStep('first', 'json_reader', { jsonString: '[]', path: '$' });
  const known = [unknown, ...['a', 'b', 'c'].map((id) => each(id, '{{first.result.result}}'))];
  await expect(prepare(known, inputs)).resolves.toBeDefined();
});

test('what only the run can know is left to it', async () => {
  await expect(
    prepare([
      fetchStep('a', { url: 'http://peer/', method: 'post' }),
      fetchStep('b', {
        url: '{{a.result}}',
        method: '{{a.result}}',
        headers: '{{a.result}}',
        params: '{{a.result}}',
      }),
      toolStep('c', 'calculator', { operation: '{{a.result}}', a: '{{b.result.data}}', b: 1 }),
      fetchStep('d', {}, { forEach: { items: '{{a.result.data}}' } }),
    ]),
  ).resolves.toBeDefined();
});

test('a registry that cannot be read is no problem of the workflow', async () => {
  const away = { getMany: () => Promise.reject(new HoldfastError('STORE_UNAVAILABLE', 'away')) };
  const error = await errorOf(() => prepareSteps({ ...ports, registry: away }, [fetchStep('a')], {}));
  expect(error.code).toBe('STORE_UNAVAILABLE');
});

test('an input that a condition may be about does not count before the run', async () => {
  const when = '{{input.path}} != null && {{input.path}} != ""';
  const read = (more = {}) =>
    toolStep('read', 'json_reader', { jsonString: '{}', path: '{{input.path}}' }, more);
  const send = (more = {}) => fetchStep('send', { headers: { 'X-Key': '{{input.path}}' } }, more);
  for (const path of ['', null]) {
    await prepare([read({ when }), send({ when })], { path });
    expect((await errorOf(() => prepare([read()], { path }))).code).toBe('WORKFLOW_INVALID');
  }
  const written = toolStep('read', 'json_reader', { jsonString: '{}', path: '$[' }, { when });
  expect((await errorOf(() => prepare([written], { path: '' }))).details).toMatchObject({
    field: 'config.args.path',
  });
});
