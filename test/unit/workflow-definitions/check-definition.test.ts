import type { WorkflowStep } from '../../../src/contracts/http/workflows';
import { checkDefinition, type KnownInputs } from '../../../src/workflow-definitions/check-definition';
import { errorOf, fetchStep, modelStep, toolStep } from './fixtures';

const known = (values: Readonly<Record<string, unknown>> = {}): KnownInputs => ({
  names: new Set(Object.keys(values)),
  values,
});
const waits = (steps: readonly WorkflowStep[], inputs = known()): Record<string, readonly string[]> =>
  Object.fromEntries(checkDefinition(steps, inputs));

describe('what a step waits for', () => {
  test('is the step before it, unless it says otherwise', () => {
    expect(
      waits([
        fetchStep('a'),
        fetchStep('b'),
        fetchStep('c', {}, { dependsOn: [] }),
        fetchStep('d', {}, { dependsOn: ['a', 'c', 'a'] }),
      ]),
    ).toEqual({ a: [], b: ['a'], c: [], d: ['a', 'c'] });
  });

  test('is also every step that it refers to, wherever it does', () => {
    const free = { dependsOn: [] };
    expect(
      waits([
        fetchStep('a'),
        fetchStep('b', {}, free),
        fetchStep('in_config', { headers: { x: ['{{a.result}}'] } }, free),
        fetchStep('in_condition', {}, { ...free, when: '{{b.status}} == "completed"' }),
        fetchStep('in_items', {}, { ...free, forEach: { items: '{{a.result}}' } }),
        fetchStep('in_previous', { body: '{{previous_result}}' }, free),
        modelStep('in_prompt', { prompt: '{{b.result}} and {{a.result}}' }, free),
        fetchStep('in_message', {}, { ...free, approval: { message: 'After {{a.result}}?' } }),
      ]),
    ).toEqual({
      a: [],
      b: [],
      in_config: ['a'],
      in_condition: ['b'],
      in_items: ['a'],
      in_previous: ['in_items'],
      in_prompt: ['a', 'b'],
      in_message: ['a'],
    });
  });
});

const a = fetchStep('a');

test.each<[string, WorkflowStep[], string, string, RegExp]>([
  ['two of one id', [a, a], 'a', 'id', /two steps with the id "a"/],
  ['a reserved id', [fetchStep('input')], 'input', 'id', /reserved name/],
  ['an id that objects keep', [fetchStep('__proto__')], '__proto__', 'id', /reserved name/],
  ['an unknown dependency', [fetchStep('b', {}, { dependsOn: ['x'] })], 'b', 'dependsOn', /no step "x"/],
  [
    'itself as a dependency',
    [fetchStep('b', {}, { dependsOn: ['b'] })],
    'b',
    'dependsOn',
    /"b" does not come earlier/,
  ],
  [
    'a later dependency',
    [fetchStep('b', {}, { dependsOn: ['c'] }), fetchStep('c')],
    'b',
    'dependsOn',
    /"c" does not come earlier/,
  ],
  [
    'a later step in a template',
    [fetchStep('b', { url: '{{c.result}}' }), fetchStep('c')],
    'b',
    'config.url',
    /^\{\{c\.result\}\}: the step "c" does not come earlier/,
  ],
  ['itself in a template', [fetchStep('b', { body: '{{b.result}}' })], 'b', 'config.body', /earlier/],
  [
    'a later step in items',
    [fetchStep('b', {}, { forEach: { items: '{{c.result}}' } }), fetchStep('c')],
    'b',
    'forEach.items',
    /earlier/,
  ],
  [
    'a later step in a condition',
    [fetchStep('b', {}, { when: '{{c.result}}' }), fetchStep('c')],
    'b',
    'when',
    /earlier/,
  ],
  [
    'an unknown name',
    [toolStep('b', 't', { deep: [{ x: 'n={{nobody}}' }] })],
    'b',
    'config.args',
    /^\{\{nobody\}\}: there is no step or input "nobody"/,
  ],
  [
    'an unknown input',
    [fetchStep('b', { body: '{{input.no}}' })],
    'b',
    'config.body',
    /there is no input "no"/,
  ],
  [
    'a part that the input lacks',
    [fetchStep('b', { body: '{{input.user.age}}' })],
    'b',
    'config.body',
    /there is no "age" in object/,
  ],
  [
    'the same of a bare name',
    [fetchStep('b', { body: '{{user.age}}' })],
    'b',
    'config.body',
    /there is no "age" in object/,
  ],
  ['an unknown name in a condition', [fetchStep('b', {}, { when: '{{nobody}}' })], 'b', 'when', /"nobody"/],
  [
    'a condition that cannot be read',
    [fetchStep('b', {}, { when: '1 ==' })],
    'b',
    'when',
    /ends where a value/,
  ],
  [
    'an unknown name in a message',
    [fetchStep('b', {}, { approval: { message: 'Pay {{nobody}}?' } })],
    'b',
    'approval.message',
    /there is no step or input "nobody"/,
  ],
  [
    'no reference in a message',
    [fetchStep('b', {}, { approval: { message: 'Pay {{1 + 1}}?' } })],
    'b',
    'approval.message',
    /is not a valid reference/,
  ],
  [
    'a result of the first step',
    [fetchStep('b', { body: '{{previous_result}}' })],
    'b',
    'config.body',
    /no step comes before the first/,
  ],
  [
    'an item outside forEach',
    [fetchStep('b', { body: '{{item}}' })],
    'b',
    'config.body',
    /step with forEach/,
  ],
  [
    'an item in the items',
    [fetchStep('b', {}, { forEach: { items: '{{item}}' } })],
    'b',
    'forEach.items',
    /step with forEach/,
  ],
  [
    'a part of an index',
    [fetchStep('b', { body: '{{index.first}}' }, { forEach: { items: [1] } })],
    'b',
    'config.body',
    /a number and has no parts/,
  ],
  [
    'an index in the condition',
    [fetchStep('b', {}, { when: '{{index}} > 1', forEach: { items: [1] } })],
    'b',
    'when',
    /step with forEach/,
  ],
  [
    'a step without a part',
    [a, fetchStep('b', { body: '{{a}}' })],
    'b',
    'config.body',
    /its result is \{\{a\.result\}\}/,
  ],
  [
    'a part that no step has',
    [a, fetchStep('b', { body: '{{a.data}}' })],
    'b',
    'config.body',
    /result, status, error/,
  ],
])('%s is refused', async (_problem, steps, stepId, field, message) => {
  const error = await errorOf(() => checkDefinition(steps, known({ user: { name: 'Ada' } })));
  expect(error.code).toBe('WORKFLOW_INVALID');
  expect(error.details).toEqual({ step: stepId, field, message: expect.stringMatching(message) });
});

test.each(['{{input.missing}} == null', '{{missing}} == null'])(
  'a condition on an input that nobody gave, %s, is refused',
  async (when) => {
    const error = await errorOf(() => checkDefinition([fetchStep('b', {}, { when })], known({ user: {} })));
    expect(error.details).toMatchObject({ step: 'b', field: 'when' });
  },
);

test.each(['{{input.first name}}', '{{ 1 + 1 }}', '{{a|b}}', '{{input.l[-1]}}'])(
  '%s, no reference, is refused and not sent',
  async (text) => {
    const error = await errorOf(() =>
      checkDefinition([fetchStep('b', { params: { q: [`x ${text}`] } })], known({ l: [1] })),
    );
    expect(error.details).toMatchObject({
      step: 'b',
      field: 'config.params',
      message: expect.stringContaining(text),
    });
  },
);

test('a condition may ask for a part of an input that is not there', () => {
  expect(
    waits(
      [fetchStep('b', {}, { when: '{{input.user.name}} == null && {{user.age}} == null' })],
      known({ user: {} }),
    ),
  ).toEqual({ b: [] });
});

test('while a definition is only stored, the names of its inputs are all that is checked', async () => {
  const names = { names: new Set(['user']) };
  expect(waits([fetchStep('b', { body: '{{user.age}} {{input.user.deep}}' })], names)).toEqual({ b: [] });
  const error = await errorOf(() => checkDefinition([fetchStep('b', { body: '{{input.no}}' })], names));
  expect(error.details).toMatchObject({ field: 'config.body' });
});

test('steps that are stored keep any message, wait for what it names, and are checked otherwise', () => {
  const asked = (message: string, config = {}): WorkflowStep[] => [
    fetchStep('a'),
    fetchStep('b', config, { dependsOn: [], approval: { message } }),
  ];
  const message = 'Pay {{a.result}} {{nobody}} {{1 + 1}} {{b.result}}?';
  expect(checkDefinition(asked(message), known(), true).get('b')).toEqual(['a']);
  expect(() => checkDefinition(asked(message, { body: '{{nobody}}' }), known(), true)).toThrow('nobody');
});
