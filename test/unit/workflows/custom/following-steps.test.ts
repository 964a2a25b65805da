import type { StepOutcome } from '../../../../src/contracts/http/workflows';
import type { PreparedStep } from '../../../../src/contracts/runs/workflows';
import { followingSteps } from '../../../../workflows/custom/following-steps';

const prepared = (id: string, waitsFor: readonly string[], more: object = {}, toolName = 'calculator') =>
  ({
    step: { id, type: 'tool_execution', config: { toolName, args: { a: 1 } }, ...more },
    waitsFor,
    execution: {
      kind: 'tool',
      tool: { toolName, implementation: { kind: 'builtin' } },
      limits: { timeoutMs: 1_000, maxAttempts: 1, source: 'TOOL_TIMEOUT_MS' },
    },
  }) as unknown as PreparedStep;
const args = (a: string): object => ({ config: { toolName: 'calculator', args: { a } } });
const ended = (result: unknown): StepOutcome => ({ status: 'completed', result, executionTime: 1 });

function find(
  steps: readonly PreparedStep[],
  at = 0,
  outcomes: Readonly<Record<string, StepOutcome>> = {},
  inputs = {},
) {
  return followingSteps(steps, steps[at]!, { inputs, outcomes });
}
const idsOf = (...given: Parameters<typeof find>): string[] =>
  find(...given)?.calls.map(({ step }) => step) ?? [];

const one = prepared('one', []);
const two = prepared('two', ['one']);
const three = prepared('three', ['two']);

test.each<[string, string[], PreparedStep[]]>([
  ['each light step that waits for the one before it', ['two', 'three'], [one, two, three]],
  ['none behind the last', [], [one]],
  ['none behind a step with items', [], [prepared('one', [], { forEach: { items: [1] } }), two]],
  ['none behind a step with a time limit', [], [prepared('one', [], { timeout: 5 }), two]],
  ['none with its own retries', ['two'], [one, two, prepared('three', ['two'], { retry: {} })]],
  ['none with items', [], [one, prepared('two', ['one'], { forEach: { items: [1] } })]],
  ['none behind one with an effect', [], [one, prepared('two', ['one'], {}, 'api_call'), three]],
  ['none that waits for an earlier step only', ['two'], [one, two, prepared('three', ['one'])]],
  ['none beside another branch', [], [one, two, prepared('three', [])]],
])('%s', (_what, ids, steps) => expect(idsOf(steps)).toEqual(ids));

test('none beside a branch that has not ended and is named as a property that every object has', () => {
  const steps = [one, prepared('constructor', []), prepared('mine', ['one']), prepared('next', ['mine'])];
  expect(idsOf(steps, 2, { one: ended(1) })).toEqual([]);
});

test('none beside a branch that began earlier and has not ended', () => {
  const steps = [one, prepared('beside', []), prepared('mine', ['one']), prepared('next', ['mine'])];
  expect(idsOf(steps, 2, { one: ended(1) })).toEqual([]);
  expect(idsOf(steps, 2, { one: ended(1), beside: ended(2) })).toEqual(['next']);
});

test('only outcomes that are referred to are sent, by arguments or conditions', () => {
  const steps = [
    one,
    prepared('long', ['one']),
    prepared('mine', ['long']),
    prepared('next', ['mine', 'one'], args('{{one.result}} {{mine.result}}')),
    prepared('last', ['next', 'other'], { when: '{{other.result}} == 1' }),
  ];
  const outcomes = { one: ended(1), long: ended('x'.repeat(100_000)), other: ended(2) };
  expect(find(steps, 2, outcomes, { n: 3 })?.values).toEqual({
    inputs: { n: 3 },
    outcomes: { one: ended(1), other: ended(2) },
  });
});

test('none where the values for them are long', () => {
  const steps = [one, prepared('mine', ['one']), prepared('next', ['mine', 'one'], args('{{one.result}}'))];
  expect(idsOf(steps, 1, { one: ended('x'.repeat(9_000)) })).toEqual([]);
  expect(idsOf(steps, 1, { one: ended(1) }, { long: 'x'.repeat(9_000) })).toEqual([]);
});
