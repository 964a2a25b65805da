import type { PreparedStep } from '../../../../src/contracts/runs/workflows';
import type { WorkflowValues } from '../../../../src/templates/workflow-scope';
import { ByteBudget } from '../../../../workflows/steps/byte-budget';
import { forEachItem, ItemAllowance } from '../../../../workflows/custom/for-each';
import { takeItems } from '../../../../workflows/custom/step-items';
import { buildCall, estimateCall, type StepPorts } from '../../../../workflows/custom/build-call';

const BOUNDS = { together: 100_000_000, inFlight: 20_000_000, inTask: 10_000, sent: 1_000_000_000 };
const settleAll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function testBudget() {
  let waiting: (() => void)[] = [];
  const budget = new ByteBudget(BOUNDS, {
    nextTask: () => new Promise<void>((next) => waiting.push(next)),
    isCancelled: () => false,
  });
  return {
    budget,
    async nextTask(): Promise<void> {
      const ended = waiting;
      waiting = [];
      for (const next of ended) next();
      await settleAll();
    },
  };
}

const toolStep = (jsonString: string): PreparedStep =>
  ({
    step: { id: 'each', type: 'tool_execution', config: { toolName: 'json_reader', args: { jsonString } } },
    execution: {
      kind: 'tool',
      tool: { toolName: 'json_reader', kind: 'builtin' },
      limits: { timeoutMs: 1_000, maxAttempts: 1, source: 'default' },
    },
  }) as unknown as PreparedStep;
const apiStep = {
  step: { id: 'each', type: 'api_call', config: { url: 'http://a.test', params: '{{input.text}}' } },
  execution: toolStep('').execution,
} as unknown as PreparedStep;

const objectOf = (count: number): object => ({ list: Array.from({ length: count }, () => 1) });
const VALUES: WorkflowValues = {
  inputs: { object: objectOf(1_000), long: ['x'.repeat(1_200_000)], text: 'x'.repeat(20_000) },
  outcomes: {},
  previous: undefined,
};

const PORTS: StepPorts = {
  runTool: () => Promise.reject(new Error('not built')),
  askModel: () => Promise.reject(new Error('not built')),
  approve: undefined,
};

/** Works on items that all fail. @returns how many had ended after each workflow task, and why */
async function failAll(prepared: PreparedStep, count: number) {
  const { budget, nextTask } = testBudget();
  const ended: number[] = [];
  const reasons = new Set<string>();
  let failed = 0;
  const all = forEachItem(
    Array.from({ length: count }),
    { concurrency: 50, continuesAfter: () => true },
    async (value, index) => {
      const values = { ...VALUES, item: { value, index } };
      try {
        await budget.call(
          () => estimateCall(prepared, values),
          () => buildCall(prepared, 'each', values, PORTS),
          () => undefined,
        );
      } catch (error) {
        failed += 1;
        reasons.add((error as Error).message);
        throw error;
      }
    },
  );
  for (let task = 0; failed < count; task += 1) {
    expect(task).toBeLessThan(10 * count);
    await (task === 0 ? settleAll() : nextTask());
    ended.push(failed);
  }
  await all;
  return { ended, reasons: [...reasons] };
}

describe('items whose calls cannot be built are worked on in as many tasks as others', () => {
  test('where a reference that leads nowhere follows much that was inserted', async () => {
    const { ended, reasons } = await failAll(toolStep(`${'{{input.object}}'.repeat(8)}{{input.none}}`), 100);
    // Each reads 16,000 characters, and a task has room for 10,000.
    expect(ended).toEqual(Array.from({ length: 101 }, (_, task) => task));
    expect(reasons).toEqual([
      '{{input.none}} cannot be resolved: there is no "none" in object; it has long, text, object',
    ]);
  });

  test('where the arguments would become too long', async () => {
    const { ended, reasons } = await failAll(toolStep('{{input.long}}'.repeat(8)), 3);
    expect(ended).toEqual([0, 1, 2, 3]);
    expect(reasons).toEqual(['{{input.long}} cannot be resolved: the arguments would become too long']);
  });

  test('where what was resolved is of the wrong type', async () => {
    const { ended, reasons } = await failAll(apiStep, 4);
    expect(ended).toEqual([0, 1, 2, 3, 4]);
    expect(reasons).toEqual(['config.params cannot be resolved: an object is needed, it is of type string']);
  });

  test('several in one task where each reads little', async () => {
    const { ended } = await failAll(toolStep('{{input.object}}{{input.none}}'), 50);
    // Five of them reach the bound, and the fifth waits.
    expect(ended.slice(0, 3)).toEqual([4, 9, 14]);
  });
});

describe('a list of items that cannot be resolved fills its task', () => {
  test.each([
    ['a reference that leads nowhere', [...Array<string>(8).fill('x{{input.object}}'), '{{input.none}}']],
    ['no list', '{{input.text}}'],
  ])('%s', async (_, written) => {
    const { budget, nextTask } = testBudget();
    expect(() => takeItems(written, VALUES, { budget, allowance: new ItemAllowance() })).toThrow(
      'cannot be resolved',
    );
    expect(budget.roomForWork()).toBeInstanceOf(Promise);
    await nextTask();
    expect(budget.roomForWork()).toBeUndefined();
  });
});
