import { builtinWorkflows } from '../../../src/workflow-definitions/builtin';
import { checkDefinition } from '../../../src/workflow-definitions/check-definition';
import { fillInputs, requiredTools } from '../../../src/workflow-definitions/fill-inputs';
import { builtinDefinitions } from '../../../src/tools/builtin/declarations';
import { checkedArguments } from '../../../src/tools/argument-problems';
import { callChecks } from '../../support/argument-checks';
import { findExpressions } from '../../../src/templates/resolve';
import { errorOf, fetchStep, modelStep, toolStep, workflow } from './fixtures';

const declared = workflow('one', {
  inputs: {
    needed: { description: 'Has to be given' },
    defaulted: { default: 5 },
    nulled: { default: null },
    optional: { required: false },
  },
});

describe('the inputs of a run', () => {
  test('are what was given, and the defaults of the rest', () => {
    expect(fillInputs(declared, { needed: 'x' })).toEqual({
      needed: 'x',
      defaulted: 5,
      nulled: null,
      optional: null,
    });
    expect(fillInputs(declared, { needed: null, defaulted: 6, optional: [] })).toEqual({
      needed: null,
      defaulted: 6,
      nulled: null,
      optional: [],
    });
    expect(fillInputs(workflow('none'), {})).toEqual({});
  });

  test.each<[string, object, string, RegExp]>([
    ['a missing one', {}, 'inputs.needed', /is required by "one"/],
    ['an unknown one', { needed: 1, other: 2 }, 'inputs.other', /takes needed, defaulted, nulled, optional/],
    ['one that every object has', { needed: 1, constructor: 2 }, 'inputs.constructor', /is not an input/],
  ])('%s is refused', async (_problem, given, field, message) => {
    const error = await errorOf(() => fillInputs(declared, { ...given }));
    expect(error.code).toBe('WORKFLOW_INVALID');
    expect(error.details).toEqual({ step: null, field, message: expect.stringMatching(message) });
  });
});

test('the tools that a workflow needs are told once each, in order', () => {
  const steps = [
    toolStep('a', 'weather'),
    fetchStep('b'),
    modelStep('c'),
    toolStep('d', 'weather'),
    toolStep('e', 'api_call'),
  ];
  expect(requiredTools({ steps })).toEqual(['weather', 'api_call']);
});

describe('each workflow that comes with the service', () => {
  const tools = new Map(builtinDefinitions.map((tool) => [tool.name, tool]));

  test('has an id of its own, in order', () => {
    const ids = builtinWorkflows.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids).toHaveLength(6);
  });

  test.each(builtinWorkflows.map((one) => [one.id, one] as const))('%s is valid', async (_id, one) => {
    checkDefinition(one.steps, { names: new Set(Object.keys(one.inputs)) });
    expect(one.description).not.toBe('');
    expect(one.estimatedTime).toBeDefined();
    for (const input of Object.values(one.inputs)) expect(input.description).not.toBe('');
    for (const step of one.steps) {
      expect(step.name).toBeDefined();
      expect(step.description).toMatch(/^[A-Z].{20,}\.$/);
      if (step.type !== 'tool_execution') continue;
      const { check, signal } = callChecks;
      await checkedArguments(check, tools.get(step.config.toolName)!, step.config.args, signal, 'args', {
        skip: (value) => findExpressions(value).length > 0,
      });
    }
  });

  test.each(builtinWorkflows.map((one) => [one.id, one] as const))(
    '%s uses every input it takes',
    (_id, one) => {
      const used = findExpressions(one.steps).map(({ path }) => path[0]);
      for (const name of Object.keys(one.inputs)) expect(used).toContain(name);
    },
  );
});
