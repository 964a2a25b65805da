import type { ApprovalOutcome } from '../../../src/contracts/runs/approvals';
import { deriveInput, type DerivedRun } from '../../../temporal/run-events/derive-input';
import type { StepPayloads } from '../../../temporal/run-events/step-payloads';
import { readInput } from '../../../temporal/run-events/read-step';

interface Given {
  readonly steps: readonly object[];
  readonly inputs?: object;
  /** The outcomes of steps that did not run. */
  readonly reused?: object;
  /** What the steps that completed returned, by their ids. */
  readonly results?: Readonly<Record<string, unknown>>;
  /** Steps that failed. */
  readonly failed?: readonly string[];
  readonly answers?: Readonly<Record<string, Partial<ApprovalOutcome>>>;
}

const payloadsOf = (id: string): StepPayloads => ({
  step: { id, name: 'calculator', kind: 'tool', attempt: 1 },
  summary: undefined,
  place: 0,
});

/** A run of a custom workflow. */
function runOf({ steps, inputs = {}, reused, results = {}, failed = [], answers = {} }: Given): DerivedRun {
  const ids = [...Object.keys(results), ...failed];
  return {
    workflowType: 'customWorkflow',
    runId: 'the-run',
    steps: new Map(ids.map((id) => [id, payloadsOf(id)])),
    readInput: () => Promise.resolve({ steps, inputs, reused }),
    readFiles: () => Promise.resolve(undefined),
    readResult: (id) => Promise.resolve(id in results ? { output: results[id] } : undefined),
    readFailure: () => Promise.resolve(undefined),
    readAnswer: (id) => Promise.resolve(answers[id] as ApprovalOutcome | undefined),
  };
}

const step = (id: string, a: unknown, more: object = {}): object => ({
  step: { id, type: 'tool_execution', config: { toolName: 'calculator', args: { a } }, ...more },
  waitsFor: [],
  execution: { kind: 'tool', tool: { toolName: 'calculator', implementation: { kind: 'builtin' } } },
});
const inputOf = (given: Given, id: string): Promise<unknown> =>
  readInput(runOf(given), payloadsOf(id), () => Promise.reject(new Error('nothing is stored')));

test.each<[string, unknown, Given, string?]>([
  [
    'an input, and the run',
    '1 the-run last',
    { steps: [step('last', '{{n}} {{run.id}} {{step.id}}')], inputs: { n: 1 } },
  ],
  ['a result', 3, { steps: [step('one', 1), step('last', '{{one.result}}')], results: { one: 3 } }],
  [
    'the result before',
    3,
    { steps: [step('one', 1), step('last', '{{previous_result}}')], results: { one: 3 } },
  ],
  ['a status', 'completed', { steps: [step('one', 1), step('last', '{{one.status}}')], results: { one: 3 } }],
  ['the result of a skipped step', null, { steps: [step('one', 1), step('last', '{{one.result}}')] }],
  [
    'the result of a step of another run',
    '3 completed',
    {
      steps: [step('one', 1), step('last', '{{one.result}} {{one.status}}')],
      reused: { one: { status: 'completed', result: 3, executionTime: 2 } },
    },
  ],
  ['an item', 5, { steps: [step('last', '{{item}}', { forEach: { items: [4, 5] } })] }, 'last[1]'],
  [
    'the results of items, also of one that failed',
    [7, null],
    {
      steps: [step('each', '{{item}}', { forEach: { items: [1, 2] } }), step('last', '{{each.result}}')],
      results: { 'each[0]': 7 },
      failed: ['each[1]'],
    },
  ],
  [
    'what a person wrote in its place',
    9,
    { steps: [step('last', '{{missing.result}}')], answers: { last: { args: { a: 9 } } } },
  ],
])('a template that names %s becomes what it was in the run', async (_, a, given, id = 'last') => {
  expect(await inputOf(given, id)).toEqual({ a });
});

test.each<[string, Given]>([
  [
    'the error of a step',
    { steps: [step('one', 1), step('last', '{{one.error.message}}')], failed: ['one'] },
  ],
  ['the status of a step that did not complete', { steps: [step('one', 1), step('last', '{{one.status}}')] }],
  [
    'the results of items that may have been skipped',
    {
      steps: [
        step('each', '{{item}}', { forEach: { items: [1] }, when: '{{n}} > 1' }),
        step('last', '{{each.result}}'),
      ],
    },
  ],
  ['a step that does not exist', { steps: [step('last', '{{missing.result}}')] }],
  [
    'a step of a run of an early build',
    { steps: [step('one', 1), step('last', '{{one.result}}')], failed: ['runTool-1'] },
  ],
  ['anything in a workflow that was kept in another form', { steps: [{ step: { id: 'last' } }] }],
])('a template that names %s gives no input, and says why', async (_, given) => {
  await expect(inputOf(given, 'last')).rejects.toMatchObject({ name: 'UnderivableInput' });
});

test('the store being away is no reason to say that the input is not known', async () => {
  const run = runOf({ steps: [] });
  const away = new Error('away');
  await expect(deriveInput({ ...run, readInput: () => Promise.reject(away) }, 'last')).rejects.toBe(away);
});

describe('with many steps that each name all earlier ones', () => {
  const earlier = (count: number): string[] => Array.from({ length: count }, (_, at) => `{{s${at}.result}}`);
  const steps = Array.from({ length: 40 }, (_, at) =>
    step(`s${at}`, earlier(at), { forEach: { items: [0, ...earlier(at)] } }),
  );
  const run = runOf({ steps: [...steps, step('last', '{{s39.result}}')] });

  test('the result of each item is read once', async () => {
    const reads: string[] = [];
    const readResult = (id: string): Promise<unknown> => {
      reads.push(id);
      return Promise.resolve({ output: 1 });
    };
    const found = { ...run, readResult };
    expect(await deriveInput(found, 'last')).toEqual({ a: Array.from({ length: 40 }, () => 1) });
    expect(reads).toHaveLength((40 * 41) / 2);
    expect(new Set(reads).size).toBe(reads.length);
  });

  test('the derivation ends with its request', async () => {
    const late = deriveInput({ ...run, signal: AbortSignal.abort() }, 'last');
    await expect(late).rejects.toMatchObject({ name: 'EngineDeadlineError' });
  });
});

test('the items of a step are known without what its calls name', async () => {
  const steps = [
    step('failing', 1),
    step('each', '{{failing.error.message}} {{item}}', { forEach: { items: [1] } }),
    step('last', '{{each.result}}'),
  ];
  expect(await inputOf({ steps, results: { 'each[0]': 7 }, failed: ['failing'] }, 'last')).toEqual({
    a: [7],
  });
});
