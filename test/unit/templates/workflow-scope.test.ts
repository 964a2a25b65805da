import fc from 'fast-check';
import type { StepOutcome } from '../../../src/contracts/http/workflows';
import { KEEP, resolveTemplates } from '../../../src/templates/resolve';
import {
  inputReference,
  workflowReference,
  type WorkflowValues,
} from '../../../src/templates/workflow-scope';

const outcome = (result: unknown, more: Partial<StepOutcome> = {}): StepOutcome => ({
  status: 'completed',
  result,
  executionTime: 1,
  ...more,
});

const VALUES: WorkflowValues = {
  inputs: { name: 'Ada', deep: { list: [{ id: 7 }] }, fetch: 'hidden by the step', nothing: null },
  outcomes: {
    fetch: outcome({ status: 200, data: { items: [{ id: 'x' }], result: 'inner' } }),
    sum: outcome(3),
    broken: outcome(null, { status: 'failed', error: { code: 'TOOL_TIMEOUT', message: 'late' } }),
    ask: outcome('text', { usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 } }),
    each: outcome([1, null], { errors: [{ index: 1, code: 'X', message: 'no' }] }),
  },
  previous: 'sum',
  item: { value: { sku: 'a' }, index: 4 },
  runId: 'run-7',
  stepId: 'pay',
};

const resolve = (template: string, values: WorkflowValues = VALUES): unknown =>
  resolveTemplates(template, (expression) => workflowReference(expression, values));

test.each([
  ['{{input.name}}', 'Ada'],
  ['{{name}}', 'Ada'],
  ['{{input.deep.list[0].id}}', 7],
  ['{{deep.list[0]}}', { id: 7 }],
  ['{{input}}', VALUES.inputs],
  ['{{input.nothing}}', null],
  ['{{fetch.result.data.items[0].id}}', 'x'],
  ['{{fetch.result["status"]}}', 200],
  ['{{fetch.status}}', 'completed'],
  ['{{sum.result}}', 3],
  ['{{sum.result.result}}', 3],
  ['{{each.result.result[0]}}', 1],
  ['{{fetch.result.data.result}}', 'inner'],
  ['{{previous_result}}', 3],
  ['{{broken.status}} {{broken.error.code}}', 'failed TOOL_TIMEOUT'],
  ['{{broken.result}}', null],
  ['{{ask.usage.totalTokens}}', 3],
  ['{{each.errors[0].index}}', 1],
  ['{{item.sku}}{{index}}', 'a4'],
  ['{{input.fetch}}', 'hidden by the step'],
  ['{{run.id}}/{{step.id}}[{{index}}]', 'run-7/pay[4]'],
])('%s is %p', (template, value) => {
  expect(resolve(template)).toEqual(value);
});

test.each([
  ['{{input.other}}', 'there is no "other" in object'],
  ['{{nobody}}', 'there is no step or input "nobody"'],
  ['{{constructor.result}}', 'there is no step or input "constructor"'],
  ['{{fetch.result.missing}}', 'there is no "missing" in object'],
  ['{{fetch.result.constructor}}', 'there is no "constructor" in object'],
  ['{{sum.result.deep}}', 'there is no "deep" in number'],
  ['{{broken.result.data}}', 'there is no "data" in null'],
  ['{{sum.error}}', 'there is no "error" in object'],
  ['{{item.price}}', 'there is no "price" in object'],
  ['{{index.x}}', 'there is no step or input "index"'],
])('%s is an error that names it', (template, reason) => {
  expect(() => resolve(template)).toThrow(`${template} cannot be resolved: ${reason}`);
});

test('outside forEach there is no item, and before the first step no result', () => {
  const { inputs, outcomes } = VALUES;
  expect(() => resolve('{{item}}', { inputs, outcomes })).toThrow('no step or input "item"');
  expect(() => resolve('{{previous_result}}', { inputs, outcomes })).toThrow('previous_result');
  expect(() => resolve('{{previous_result}}', { inputs, outcomes, previous: 'later' })).toThrow(
    'the step "later" has not ended',
  );
});

test('a value that holds a template is not resolved again', () => {
  expect(resolve('{{input.name}}', { inputs: { name: '{{sum.result}}' }, outcomes: VALUES.outcomes })).toBe(
    '{{sum.result}}',
  );
});

test('before a run only inputs are known, and everything else keeps its text', () => {
  const inputs = { name: 'Ada', fetch: 1 };
  const known = (template: string): unknown =>
    resolveTemplates(template, (expression) => inputReference(expression, inputs, new Set(['fetch'])));
  expect(known('{{input.name}} {{name}}')).toBe('Ada Ada');
  expect(known('{{fetch.result}} {{previous_result}} {{item}}')).toBe(
    '{{fetch.result}} {{previous_result}} {{item}}',
  );
  expect(known('{{input.fetch}}')).toBe(1);
  expect(() => known('{{input.other}}')).toThrow('there is no "other"');
  const expression = { text: '{{x}}', root: 'x', path: [] };
  expect(inputReference(expression, inputs, new Set())).toBe(KEEP);
});

describe('run and step', () => {
  const word = fc.constantFrom('run', 'step');
  const own = { run: 'run-7', step: 'pay' };

  test('are a step or an input of that name, and else the run and the step themselves', () => {
    fc.assert(
      fc.property(word, fc.boolean(), fc.boolean(), fc.string(), (root, isStep, isInput, id) => {
        const values: WorkflowValues = {
          ...VALUES,
          inputs: isInput ? { [root]: { id } } : {},
          outcomes: isStep ? { [root]: outcome({ id: `${id}!` }) } : {},
        };
        const resolved = resolve(isStep ? `{{${root}.result.id}}` : `{{${root}.id}}`, values);
        expect(resolved).toBe(isStep ? `${id}!` : isInput ? id : own[root]);
      }),
    );
  });

  test('have an id alone, which stays a text within any other', () => {
    fc.assert(
      fc.property(
        word,
        fc.string().filter((text) => !/[{}]/.test(text)),
        (root, text) => {
          expect(resolve(`${text}{{ ${root}["id"] }}${text}`)).toBe(`${text}${own[root]}${text}`);
          expect(() => resolve(`{{${root}.name}}`)).toThrow('there is no "name" in object; it has id');
        },
      ),
    );
  });
});

test('an error about a missing name lists those that there are, the most similar first', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`name${n}`, n]));
  const inputs = { order: { reference: 1, result: 2, id: 3 }, many, list: [1, 2], empty: {} };
  const failing = (template: string): string => {
    try {
      return String(resolve(template, { inputs, outcomes: {} }));
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(failing('{{order.reslt}}')).toMatch(/there is no "reslt" in object; it has result, .*id/);
  expect(failing('{{order.Id}}')).toMatch(/; it has id, /);
  expect(failing('{{many.nam7}}')).toMatch(/; it has name7, (name\d+, ){3}name\d+ and 25 more$/);
  expect(failing('{{list[4]}}')).toMatch(/there is no "4" in an array; it has 2 items$/);
  expect(failing('{{empty.a}}')).toMatch(/; it is empty$/);
});
