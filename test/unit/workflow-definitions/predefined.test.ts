import { builtinWorkflows } from '../../../src/workflow-definitions/builtin';
import { checkDefinition } from '../../../src/workflow-definitions/check-definition';
import { fillInputs, requiredTools } from '../../../src/workflow-definitions/fill-inputs';
import { builtinDefinitions } from '../../../src/tools/builtin/declarations';
import { checkedArguments } from '../../../src/tools/argument-problems';
import { callChecks } from '../../support/argument-checks';
import { parametersOf } from '../../../src/contracts/http/tool-schemas';
import { readInputs } from '../../../src/tools/parameters';
import { findReferencesIn } from '../../../src/templates/resolve';
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
  test('are what was given, and the defaults of the rest', async () => {
    expect(await fillInputs(declared, { needed: 'x' }, callChecks)).toEqual({
      needed: 'x',
      defaulted: 5,
      nulled: null,
      optional: null,
    });
    expect(await fillInputs(declared, { needed: null, defaulted: 6, optional: [] }, callChecks)).toEqual({
      needed: null,
      defaulted: 6,
      nulled: null,
      optional: [],
    });
    expect(await fillInputs(workflow('none'), {}, callChecks)).toEqual({});
  });

  test.each<[string, object, string, RegExp]>([
    ['a missing one', {}, 'inputs.needed', /is required by "one"/],
    ['an unknown one', { needed: 1, other: 2 }, 'inputs.other', /takes needed, defaulted, nulled, optional/],
    ['one that every object has', { needed: 1, constructor: 2 }, 'inputs.constructor', /is not an input/],
  ])('%s is refused', async (_problem, given, field, message) => {
    const error = await errorOf(() => fillInputs(declared, { ...given }, callChecks));
    expect(error.code).toBe('WORKFLOW_INVALID');
    expect(error.details).toMatchObject({ step: null, field, message: expect.stringMatching(message) });
  });
});

test('inputs may be declared by a JSON Schema, whose problems are all named', async () => {
  const one = workflow('one', {
    inputs: {
      type: 'object',
      properties: {
        at: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
        unit: { enum: ['C', 'F'], default: 'C' },
      },
      required: ['at'],
    },
  });
  expect(await fillInputs(one, { at: { x: 1 } }, callChecks)).toEqual({ at: { x: 1 }, unit: 'C' });
  const error = await errorOf(() => fillInputs(one, { at: {}, unit: 'K', more: 1 }, callChecks));
  expect(error.details).toMatchObject({
    step: null,
    field: 'inputs.at.x',
    problems: [{ pointer: '/inputs/at/x' }, { pointer: '/inputs/unit' }, { pointer: '/inputs/more' }],
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
    for (const input of Object.values(parametersOf(readInputs(one.inputs))))
      expect(input.description).not.toBe('');
    for (const step of one.steps) {
      expect(step.name).toBeDefined();
      expect(step.description).toMatch(/^[A-Z].{20,}\.$/);
      if (step.type !== 'tool_execution') continue;
      const { check, signal } = callChecks;
      await checkedArguments(check, tools.get(step.config.toolName)!, step.config.args, signal, 'args', {
        skip: (value) => findReferencesIn(value).length > 0,
      });
    }
  });

  test.each(builtinWorkflows.map((one) => [one.id, one] as const))(
    '%s uses every input it takes',
    (_id, one) => {
      const used = findReferencesIn(one.steps).map(({ path }) => path[0]);
      for (const name of Object.keys(one.inputs)) expect(used).toContain(name);
    },
  );
});
