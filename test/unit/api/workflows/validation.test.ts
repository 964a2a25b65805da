import Ajv2020 from 'ajv/dist/2020';
import * as fc from 'fast-check';
import { definitionSchema } from '../../../../api/workflows/definition-schema';
import { workflowRunRoutes } from '../../../../api/workflows/execution-routes';
import { workflowValidationRoute } from '../../../../api/workflows/validation-route';
import type { AnyRoute } from '../../../../api/http/route';
import { parseRequest } from '../../../../api/http/parse-request';
import { createCustomRuns } from '../../../../requests/custom-runs';
import { isHoldfastError } from '../../../../src/base/errors';
import type { WorkflowProblem } from '../../../../src/contracts/http/workflows';
import { loadConfig } from '../../../../src/settings/config';
import { argumentChecks } from '../../../support/argument-checks';
import { builtinRegistry, schemas } from '../../workflow-definitions/fixtures';

const config = loadConfig({});
const custom = createCustomRuns({
  preparing: {
    registry: builtinRegistry,
    chooseModel: () => ({ provider: 'builtin', model: 'builtin' }),
    schemas,
    toolLimits: { timeoutMs: 30_000, source: 'TOOL_TIMEOUT_MS', maxAttempts: 3 },
    modelLimits: { timeoutMs: 60_000, maxAttempts: 1 },
  },
  checks: argumentChecks,
  settings: config,
  // No run is started here.
  client: undefined as never,
  catalogue: undefined as never,
  policies: undefined as never,
});
const { signal } = new AbortController();
const context = { owner: { tenant: 'default' }, signal: () => signal, services: { runs: { custom } } };
const [validation, execution] = [workflowValidationRoute(config), workflowRunRoutes(config)[1]];

function call<T>(route: AnyRoute<never> | undefined, body: unknown): Promise<T> {
  const input = parseRequest(route as AnyRoute, { params: {}, query: {}, body });
  return (route as { handler: (...args: unknown[]) => Promise<T> }).handler(input, context);
}

interface Validation {
  readonly valid: boolean;
  readonly problems: readonly WorkflowProblem[];
}
const validate = (workflow: unknown, inputs?: object) =>
  call<Validation>(validation, { workflow, ...(inputs && { inputs }) });
/** The first mistake that a dry run names; undefined if it finds none. */
async function dryRun(workflow: unknown, inputs?: object): Promise<unknown> {
  try {
    await call(execution, { workflow, dryRun: true, ...(inputs && { inputs }) });
    return undefined;
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return error.details;
  }
}
const add = (id: string, more: object = {}, args: object = { operation: 'add', a: 1, b: 2 }) => ({
  id,
  type: 'tool_execution',
  config: { toolName: 'calculator', args },
  ...more,
});
const fetchStep = (id: string, config: object = {}, more: object = {}) => ({
  id,
  type: 'api_call',
  config: { url: 'http://peer/', ...config },
  ...more,
});
const ask = (id: string, config: object = {}, more: object = {}) => ({
  id,
  type: 'llm_call',
  config: { prompt: 'Say hello', ...config },
  ...more,
});

test('all mistakes of a definition are found, behind a step of an unknown type and in it too', async () => {
  const steps = [
    { id: 'first', type: 'tool', timeuot: 5, when: 'nonsense', config: { x: '{{nobody.result}}' } },
    add('first'),
    add('two words'),
    add('index'),
    fetchStep('order', { url: 'ftp://peer/', method: 'FETCH' }),
    fetchStep('typo', {}, { tiemout: 5, dependsOn: ['nowhere', 'items'] }),
    fetchStep('headers', { headers: ['a'] }),
    fetchStep('items', {}, { forEach: { items: 5 }, timeout: 9e5 }),
    fetchStep('slow', {}, { timeout: 30_001, retry: { initialInterval: 9, maximumInterval: 5 } }),
    { id: 'nothing', type: 'tool_execution', config: { toolName: 'nothing' } },
    add('sum', {}, { operation: 'add', a: 'one', c: 2 }),
    ask('ask', { prompt: '{{order.reslt}} {{ stray', schema: { a: '{{item}}' } }),
    ask('told', { prompt: '{{item}} {{ask.result.total}} {{}}' }, { timeout: 60_001 }),
    7,
  ];
  const { valid, problems } = await validate({ name: '', steps, stpes: [] });
  expect(valid).toBe(false);
  expect(problems.map(({ step, field }) => `${step} ${field}`)).toEqual([
    'typo tiemout',
    'null workflow.stpes',
    'null workflow.name',
    'first type',
    'two words id',
    'headers config.headers',
    'items timeout',
    'items forEach.items',
    'steps[13] workflow.steps[13]',
    'first timeuot',
    'first id',
    'index id',
    'first when',
    'first config.x',
    'typo dependsOn',
    'typo dependsOn',
    'ask config.prompt',
    'ask config.schema',
    'told config.prompt',
    'told config.prompt',
    'ask config.schema',
    'order config.url',
    'order config.method',
    'slow timeout',
    'slow retry.maximumInterval',
    'nothing config.toolName',
    'sum config.args.a',
    'sum config.args.b',
    'sum config.args.c',
    'told timeout',
  ]);
  const [typo, ...others] = problems;
  expect(typo).toEqual({
    step: 'typo',
    field: 'tiemout',
    message: 'tiemout is not known; the nearest is timeout',
  });
  expect(others.find(({ field }) => field === 'config.x')?.message).toBe(
    '{{nobody.result}}: there is no step or input "nobody"',
  );
});

test('a definition that is none has a problem, too', async () => {
  for (const workflow of [undefined, null, 'text', [], {}, { name: 'x', steps: {} }]) {
    const { valid, problems } = await validate(workflow);
    expect([workflow, valid, problems.length]).toEqual([workflow, false, expect.any(Number)]);
    expect(problems[0]).toEqual({ step: null, field: expect.any(String), message: expect.any(String) });
  }
});

test('inputs that are not known are followed no further', async () => {
  const workflow = {
    name: 'x',
    steps: [
      fetchStep('fetch', { url: '{{input.url}}' }, { forEach: { items: '{{input.items}}' } }),
      ask('ask', { model: '{{input.model}}' }),
      add('sum', {}, { operation: '{{input.what}}', a: '{{input.a}}', b: 2 }),
    ],
  };
  expect(await validate(workflow)).toEqual({ valid: true, problems: [] });
  const { problems } = await validate(workflow, { url: 'http://peer/', model: 5, what: 'add', a: 'x' });
  expect(problems.map(({ step, field }) => `${step} ${field}`)).toEqual([
    'fetch forEach.items',
    'ask config.model',
    'sum config.args.a',
  ]);
});

test('a definition with very many mistakes has 200 of them named', async () => {
  const url = Array.from({ length: 900 }, (_, index) => `{{x${index}}}`).join('');
  const { problems } = await validate({ name: 'x', steps: [fetchStep('a', { url })] });
  expect(problems).toHaveLength(200);
});

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const templates = oneOf<unknown>(
  1,
  'text',
  '{{a.result}}',
  '{{b.result.status}}',
  '{{c.result.no.such}}',
  '{{previous_result}}',
  '{{item}}',
  '{{item.id}}',
  '{{input.n}}',
  '{{n}}',
  '{{input.absent ?? 3}}',
  '{{ stray }}',
  '{{no_such | json}}',
);
const options = fc.record(
  {
    timeout: oneOf<unknown>(5, 30_000, 30_001, '5'),
    when: oneOf<unknown>('true', '{{a.result}} == 1', '{{input.n}} ==', 5),
    dependsOn: fc.uniqueArray(oneOf('a', 'b', 'c', 'd'), { maxLength: 2 }),
    forEach: oneOf<unknown>(
      { items: [1, 2] },
      { items: [{ id: 1 }], concurrency: 99 },
      { items: '{{a.result}}' },
      { items: '{{input.list}}' },
    ),
    retry: oneOf<unknown>({ maximumAttempts: 2 }, { initialInterval: 9, maximumInterval: 5 }, { maximum: 1 }),
    approval: oneOf<unknown>(true, { message: 'Send {{a.result}}?' }, { message: '{{x}}' }),
    continueOnError: oneOf<unknown>(true),
    contineOnError: oneOf(true),
  },
  { requiredKeys: [] },
);
const rarely = <T>(arbitrary: fc.Arbitrary<T>, usual: T) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 9 }, { arbitrary, weight: 1 });
const step = fc
  .tuple(
    oneOf('a', 'b', 'c', 'd'),
    fc.oneof(
      fc.record({ a: templates, b: templates, operation: rarely(oneOf('plus'), 'add') }).map((args) => ({
        type: 'tool_execution',
        config: { toolName: 'calculator', args },
      })),
      fc.record({ body: templates, method: rarely(oneOf('FETCH', '{{n}}'), 'POST') }).map((config) => ({
        type: 'api_call',
        config: { url: 'http://peer/', ...config },
      })),
      fc.record({ prompt: templates.map(String) }).map((config) => ({ type: 'llm_call', config })),
    ),
    rarely(options, {}),
    rarely<object>(oneOf<object>({ type: 'tool' }, { config: 5 }, { id: 'x y' }, { nmae: 'x' }), {}),
  )
  .map(([id, parts, more, mistake]) => ({ id, ...parts, ...more, ...mistake }));
const workflows = fc.oneof(
  fc.uniqueArray(step, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
  fc.array(step, { maxLength: 3 }),
);
const INPUTS = { n: 5, list: [1] };

test('a workflow is valid exactly if a dry run takes it, whose problem is among those found', async () => {
  const seen = { valid: 0, invalid: 0 };
  await fc.assert(
    fc.asyncProperty(workflows, rarely<object>(fc.constant({}), INPUTS), async (steps, inputs) => {
      const workflow = { name: 'x', steps };
      const [{ valid, problems }, refused] = [
        await validate(workflow, inputs),
        await dryRun(workflow, inputs),
      ];
      seen[valid ? 'valid' : 'invalid'] += 1;
      expect(problems).toHaveLength(valid ? 0 : problems.length || -1);
      if (refused === undefined) expect(problems).toEqual([]);
      else {
        const { step: id, field } = refused as WorkflowProblem;
        expect(problems.map((each) => `${each.step} ${each.field}`)).toContain(`${id} ${field}`);
      }
      // What is valid with inputs is so without them, but for the short form of an input.
      if (valid && !JSON.stringify(steps).includes('{{n}}'))
        expect((await validate(workflow)).valid).toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(20);
});

describe('the JSON Schema', () => {
  const fits = new Ajv2020({ strict: false }).compile(definitionSchema());

  test('takes what the API takes, and refuses what the schema of the API refuses', async () => {
    await fc.assert(
      fc.asyncProperty(workflows, async (steps) => {
        const workflow = { $schema: 'http://localhost:3000/api/workflow/schema', name: 'x', steps };
        let isParsed = true;
        try {
          parseRequest(execution as unknown as AnyRoute, { params: {}, query: {}, body: { workflow } });
        } catch {
          isParsed = false;
        }
        expect([fits(workflow), workflow]).toEqual([isParsed, workflow]);
      }),
      { numRuns: 300 },
    );
  });

  test('describes every field of the steps, for editors', () => {
    const { properties } = definitionSchema() as { properties: { steps: { items: { oneOf: object[] } } } };
    const described = properties.steps.items.oneOf.flatMap((type) => {
      const { properties: fields } = type as { properties: Record<string, { description?: string }> };
      const { properties: inner } = fields['config'] as unknown as { properties: typeof fields };
      return [...Object.entries(fields), ...Object.entries(inner)];
    });
    const bare = described.filter(
      ([name, { description }]) => name !== 'config' && description === undefined,
    );
    expect(bare.map(([name]) => name)).toEqual([]);
    expect(described.length).toBeGreaterThan(40);
  });
});
