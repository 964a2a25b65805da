import { callChecks } from '../../support/argument-checks';
import type { WorkflowStep } from '../../../src/contracts/http/workflows';
import { shapeProblems } from '../../../src/workflow-definitions/check-shapes';
import { prepareSteps, type PrepareStepsPorts } from '../../../src/workflow-definitions/prepare-steps';
import { builtinRegistry, errorOf, fetchStep, modelStep, schemas, toolStep } from './fixtures';

const ports: PrepareStepsPorts = {
  schemas,
  ...callChecks,
  registry: builtinRegistry,
  chooseModel: () => ({ provider: 'builtin', model: 'builtin' }),
  toolLimits: { timeoutMs: 30_000, source: 'TOOL_TIMEOUT_MS', maxAttempts: 3 },
  modelLimits: { timeoutMs: 60_000, maxAttempts: 1 },
};
const prepare = (steps: readonly WorkflowStep[], inputs = {}) => prepareSteps(ports, steps, inputs);
const add = (a: unknown, b: unknown, more = {}) =>
  toolStep('sum', 'calculator', { operation: 'add', a, b }, more);

describe('a mistake that shows whatever the tools answer is found', () => {
  const read = toolStep('ids', 'json_reader', { jsonString: '[]', path: '$' });
  const each = fetchStep('each', {}, { forEach: { items: [1] } });

  test.each<[string, WorkflowStep[], string, string]>([
    [
      'items that are an object',
      [read, fetchStep('s', {}, { forEach: { items: '{{ids.result}}' } })],
      'forEach.items',
      'must be a list; {{ids.result}} is an object; it has path, result',
    ],
    [
      'the same of the step before',
      [read, fetchStep('s', {}, { forEach: { items: '{{previous_result}}' } })],
      'forEach.items',
      'must be a list; {{previous_result}} is an object; it has path, result',
    ],
    [
      'a part that no answer has',
      [read, fetchStep('s', { body: '{{ids.result.reslt}}' })],
      'config.body',
      '{{ids.result.reslt}}: there is no "reslt" in object; it has result, path',
    ],
    [
      'the same in a condition',
      [read, fetchStep('s', {}, { when: '{{ids.result.reslt}} == 1' })],
      'when',
      '{{ids.result.reslt}}: there is no "reslt" in object; it has result, path',
    ],
    [
      'a part of a number',
      [add(1, 2), fetchStep('s', { body: '{{sum.result.total}}' })],
      'config.body',
      '{{sum.result.total}}: there is no "total" in number',
    ],
    [
      'a part of a text',
      [modelStep('ask'), fetchStep('s', { body: '{{ask.result.answer}}' })],
      'config.body',
      '{{ask.result.answer}}: there is no "answer" in text',
    ],
    [
      'a name in a list',
      [each, fetchStep('s', { body: '{{each.result.status}}' })],
      'config.body',
      '{{each.result.status}}: there is no "status" in a list',
    ],
    [
      'an object in the place of a number',
      [fetchStep('a'), toolStep('s', 'calculator', { operation: 'add', a: '{{a.result}}', b: 1 })],
      'config.args.a',
      'must be of type number; {{a.result}} is an object; it has data, pages, status, headers',
    ],
    [
      'a part that an item lacks',
      [fetchStep('s', { body: '{{item.url}}' }, { forEach: { items: [{ url: 'a' }, { ulr: 'b' }] } })],
      'config.body',
      '{{item.url}} cannot be resolved: there is no "url" in object; it has ulr, in the item with the index 1',
    ],
    [
      'a JSONPath query that does not parse',
      [toolStep('s', 'json_reader', { jsonString: '{{input.text}}', path: '$.a[' })],
      'config.args.path',
      'path is not a JSONPath query',
    ],
    [
      'an unknown part of the run',
      [fetchStep('s', { body: '{{run.name}}' })],
      'config.body',
      '{{run.name}}: it has the part {{run.id}} alone',
    ],
    ['a status that is none', [fetchStep('s', { expect: '2x' })], 'config.expect', 'must be a status'],
    [
      'the same as an argument',
      [toolStep('s', 'api_call', { url: 'http://peer/', expect: [200, 'ok'] })],
      'config.args.expect',
      'must be a status',
    ],
    [
      'an address that is none as an argument',
      [toolStep('s', 'api_call', { url: 'peer' })],
      'config.args.url',
      'is not an address',
    ],
    [
      'a header that is none',
      [fetchStep('s', { headers: { 'a b': 'x' } })],
      'config.headers',
      'is not a header name',
    ],
  ])('%s', async (_, steps, field, message) => {
    const error = await errorOf(() => prepare(steps, { text: '{}' }));
    expect(error.details).toMatchObject({ step: 's', field, message: expect.stringContaining(message) });
  });

  test('and nothing else is', async () => {
    const steps = [
      read,
      each,
      add('{{ids.result.result}}', '{{each.result.length}}'),
      toolStep('one', 'json_reader', { jsonString: '{{each.result}}', path: '{{sum.result}}' }),
      fetchStep('two', {
        body: '{{sum.result.result}} {{run.id}}/{{step.id}}',
        expect: ['2xx', '{{input.status}}'],
      }),
      fetchStep('three', {
        body: '{{two.result.data.a.b}} {{two.error.answer.status}} {{each.result[0].data.x}}',
      }),
      fetchStep('four', { body: '{{item.a}}' }, { forEach: { items: ['{{two.result.data}}', { a: 1 }] } }),
    ];
    await expect(prepare(steps, { status: 404 })).resolves.toBeDefined();
  });
});

test('null is no text, whether it is written or an input', async () => {
  const reader = (jsonString: unknown) => toolStep('s', 'json_reader', { jsonString, path: '$' });
  for (const value of [null, '{{input.nothing}}']) {
    const error = await errorOf(() => prepare([reader(value)], { nothing: null }));
    expect(error.details).toMatchObject({
      step: 's',
      field: 'config.args.jsonString',
      message: 'must be a string, got null',
    });
  }
});

test('an item of a list may be named by its index, however that is written', async () => {
  const each = fetchStep('each', {}, { forEach: { items: [1] } });
  const named = ['{{each.result.0.status}}', '{{each.result["0"]}}', '{{each.result[0].data}}'];
  await prepare([each, ...named.map((body, index) => fetchStep(`s${index}`, { body }))]);
});

test('the references to written items that are followed are limited', () => {
  let followed = 0;
  const item = {
    get a() {
      followed += 1;
      return 1;
    },
  };
  const written = fetchStep('s', { body: '{{item.a}}'.repeat(1_000) }, { forEach: { items: [1] } });
  const items = Array.from({ length: 1_000 }, () => item);
  const problems = [...shapeProblems([{ ...written, forEach: { ...written.forEach!, items } }], new Map())];
  expect(problems).toEqual([]);
  expect(followed).toBeGreaterThan(50_000);
  expect(followed).toBeLessThan(120_000);
});
