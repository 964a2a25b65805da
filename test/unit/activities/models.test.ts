import { createModelActivities } from '../../../activities/models';
import type { ToolChoiceResult } from '../../../src/contracts/http/llm';
import { RETRY_DELAYS } from '../../../src/contracts/retries';
import type { PlanInput } from '../../../src/contracts/runs/workflows';
import { HoldfastError } from '../../../src/base/errors';
import type { LlmProvider } from '../../../src/llm/provider';
import type { ToolRegistry } from '../../../src/tools/registry';
import { argumentChecks } from '../../support/argument-checks';
import { inActivity } from '../../support/activity-context';
import { NO_LEDGER } from '../../support/spending';

const away = (): HoldfastError => new HoldfastError('STORE_UNAVAILABLE', 'it is away', { retryable: true });
const ANSWER: ToolChoiceResult = {
  content: 'Done.',
  requests: [],
  provider: 'local',
  model: 'm',
  usage: { promptTokens: 1, completionTokens: 1, totalTokens: 2 },
};

const planInput = (timeoutMs: number, maxAttempts = 1): PlanInput => ({
  messages: [{ role: 'user', content: 'do it' }],
  choice: { provider: 'local', model: 'm' },
  deadline: Date.now() + timeoutMs,
  limits: { timeoutMs, maxAttempts },
});

function activitiesWith(
  chooseTools: LlmProvider['chooseTools'],
  registry: Partial<Pick<ToolRegistry, 'list' | 'getMany'>> = {},
) {
  return createModelActivities({
    provider: () => ({ chooseTools }) as LlmProvider,
    ledger: NO_LEDGER,
    maxPlanTokens: 1_024,
    schemas: { findProblem: () => Promise.resolve(undefined) },
    checks: argumentChecks,
    registry: {
      list: () => Promise.resolve([]),
      getMany: () => Promise.resolve(new Map()),
      ...registry,
    },
  });
}

test('a store that is away is read again until it is back, and the model is asked once', async () => {
  const asked = jest.fn(() => Promise.resolve(ANSWER));
  const list = jest
    .fn(() => Promise.resolve([]))
    .mockRejectedValueOnce(away())
    .mockRejectedValueOnce(away());
  const plan = inActivity(() => activitiesWith(asked, { list }).plan(planInput(60_000)));
  expect(await plan).toMatchObject({ content: 'Done.' });
  expect([list.mock.calls.length, asked.mock.calls.length]).toEqual([3, 1]);
});

test('a store that goes away once the model has answered does not have the model asked again', async () => {
  const answer = { ...ANSWER, requests: [{ id: '1', toolName: 'gone', args: {} }] };
  const asked = jest.fn(() => Promise.resolve(answer));
  const getMany = jest.fn(() => Promise.resolve(new Map())).mockRejectedValueOnce(away());
  const plan = inActivity(() => activitiesWith(asked, { getMany }).plan(planInput(60_000)));
  expect((await plan).calls).toMatchObject([{ call: { toolName: 'gone' } }]);
  expect([getMany.mock.calls.length, asked.mock.calls.length]).toEqual([2, 1]);
});

test('the step says that the store was away where its time is too short for another look', async () => {
  const list = jest.fn(() => Promise.reject(away()));
  const plan = inActivity(() =>
    activitiesWith(() => Promise.resolve(ANSWER), { list }).plan(planInput(RETRY_DELAYS.firstMs - 1)),
  );
  await expect(plan).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: 'it is away',
    retryable: false,
  });
  expect(list).toHaveBeenCalledTimes(1);
});

test('the step says so, too, where the store does not answer at all', async () => {
  const list = (): Promise<never> => new Promise(() => undefined);
  const plan = inActivity(() => activitiesWith(() => Promise.resolve(ANSWER), { list }).plan(planInput(200)));
  await expect(plan).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringMatching(/^The store did not answer within \d+ ms$/),
  });
});

test('a wait for the store ends with the attempt', async () => {
  const attempt = new AbortController();
  const reason = new Error('given up');
  const list = jest.fn(() => {
    setImmediate(() => attempt.abort(reason));
    return Promise.reject(away());
  });
  const plan = inActivity(
    () => activitiesWith(() => Promise.resolve(ANSWER), { list }).plan(planInput(60_000)),
    { signal: attempt.signal },
  );
  await expect(plan).rejects.toBe(reason);
  expect(list).toHaveBeenCalledTimes(1);
});

test.each([
  [1, 1, false],
  [1, 2, true],
  [2, 2, false],
])(
  'attempt %i of %i at a model that is away may be followed by another: %s',
  async (attempt, most, again) => {
    const down = new HoldfastError('MODEL_UNAVAILABLE', 'it is down', { retryable: true });
    const plan = inActivity(() => activitiesWith(() => Promise.reject(down)).plan(planInput(60_000, most)), {
      attempt,
    });
    await expect(plan).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: again });
  },
);

test('another failure that may pass leaves the step to be repeated, whatever the count of attempts', async () => {
  const plan = inActivity(() => activitiesWith(() => Promise.reject(away())).plan(planInput(60_000)), {
    attempt: 9,
  });
  await expect(plan).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
});

test.each<[string, 'length' | undefined, PlanInput['messages'], RegExp | undefined]>([
  ['nothing was called', undefined, [], /neither called a tool nor said anything$/],
  [
    'the answer was cut off',
    'length',
    [{ role: 'tool', requestId: '1', content: 42 }],
    /maximum number of tokens/,
  ],
  ['calls were made before', undefined, [{ role: 'tool', requestId: '1', content: 42 }], undefined],
])('an empty answer where %s', async (_case, finishReason, messages, problem) => {
  const answer = { ...ANSWER, content: ' ', ...(finishReason === undefined ? {} : { finishReason }) };
  const input = { ...planInput(60_000), messages };
  const plan = inActivity(() => activitiesWith(() => Promise.resolve(answer)).plan(input));
  if (problem === undefined) expect(await plan).toMatchObject({ content: ' ', calls: [] });
  else
    await expect(plan).rejects.toMatchObject({
      code: 'MODEL_OUTPUT_INVALID',
      message: expect.stringMatching(problem),
    });
});
