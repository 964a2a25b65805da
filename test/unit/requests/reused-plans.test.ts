import { defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { reusePlans } from '../../../requests/reused-plans';
import type { RerunRequest } from '../../../requests/reused-steps';
import type { PlannerLoopInput, ReusedOutcome } from '../../../src/contracts/runs/workflows';
import { derivedRun } from '../../../temporal/run-events/read-step';
import type { StepPayloads } from '../../../temporal/run-events/step-payloads';
import { takeOutcome } from '../../../workflows/planner/reused-calls';

type Failure = temporal.api.failure.v1.IFailure;
type Payload = temporal.api.common.v1.IPayload;

const { TIMEOUT_TYPE_SCHEDULE_TO_START, TIMEOUT_TYPE_HEARTBEAT } = temporal.api.enums.v1.TimeoutType;
const LIMITS = { timeoutMs: 900, source: 'options.timeout', maxAttempts: 1 } as const;
/** What a budget leaves to a call. */
const SHORTER = { ...LIMITS, timeoutMs: 300, source: 'options.budget.maxDurationMs' } as const;

const pay = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const post = (number: number) => ({
  id: `call-${number}`,
  call: {
    toolName: 'api_call',
    args: { url: `http://shop.test/${number}`, method: 'POST' },
    implementation: { kind: 'builtin' },
  },
});

interface Given {
  /** The numbers of the calls of each plan. */
  readonly plans: readonly (readonly number[])[];
  /** What came of the calls that were made: a result, or a failure. */
  readonly ends: Readonly<
    Record<number, { readonly output: unknown } | { readonly failure: Failure } | 'open'>
  >;
  /** Of calls whose limits the history has. */
  readonly limits?: Readonly<Record<number, object>>;
  readonly reused?: PlannerLoopInput['reused'];
}

/** Reads a planned run whose history says this. */
function reuse({ plans, ends, limits = {}, reused }: Given, request: RerunRequest) {
  const steps = new Map<string, StepPayloads>();
  plans.forEach((numbers, at) => {
    const step = { id: `plan-${at + 1}`, name: 'plan', kind: 'model', attempt: 1 } as const;
    const result = pay({ content: '', calls: numbers.map(post) });
    steps.set(step.id, { step, summary: undefined, place: 0, result });
    for (const number of numbers) {
      const end = ends[number];
      if (end === undefined) continue;
      steps.set(String(number), {
        step: { id: String(number), name: 'api_call', kind: 'tool', attempt: 1 },
        summary: undefined,
        place: 0,
        input: limits[number] && [pay({ step: String(number), limits: limits[number] })],
        ...(end === 'open'
          ? {}
          : 'failure' in end
            ? { failure: end.failure }
            : { result: pay({ ...end, executionTime: 1 }) }),
      });
    }
  });
  const input = { toolLimits: LIMITS, reused } as unknown as PlannerLoopInput;
  const derived = derivedRun({ steps, answers: new Map(), taskQueue: 'runs' }, 'mcpExecution', 'run', {
    load: (payload) => Promise.resolve(defaultPayloadConverter.fromPayload(payload as never)),
    readInput: () => Promise.resolve(input),
    readFiles: () => Promise.resolve(undefined),
  });
  return reusePlans({ derived, events: [], input }, request);
}

const failed: Failure = {
  message: 'status 404',
  applicationFailureInfo: { type: 'TOOL_EXECUTION_FAILED', nonRetryable: true },
};
const cancelled: Failure = { message: 'cancelled', canceledFailureInfo: {} };
const given = (result: unknown) => ({ result });

describe('where a rerun can begin', () => {
  /** The second call failed, and the run ended. */
  const STOPPED: Given = { plans: [[1, 2, 3]], ends: { 1: { output: 'a' }, 2: { failure: failed } } };
  /** The budget ended before the second call of the second plan. */
  const EXHAUSTED: Given = {
    plans: [[1], [2, 3, 4]],
    ends: { 1: { output: 'a' }, 2: { output: 'b' } },
  };
  const LAST_FAILED: Given = { plans: [[1, 2]], ends: { 1: { output: 'a' }, 2: { failure: failed } } };

  test.each<[string, Given, RerunRequest, object]>([
    [
      'after a failed call whose result the caller gives',
      STOPPED,
      { fromStep: '3', overrides: { 2: given('b') } },
      { firstMade: 3, plans: 1, outputs: ['a', 'b'] },
    ],
    [
      'at the call before which the run ended',
      EXHAUSTED,
      { fromStep: '3' },
      { firstMade: 3, plans: 2, outputs: ['a', 'b'] },
    ],
    [
      'after calls that the run did not make, whose results the caller gives',
      EXHAUSTED,
      { fromStep: '4', overrides: { 3: given('c') } },
      { firstMade: 4, plans: 2, outputs: ['a', 'b', 'c'] },
    ],
    [
      'at the plan that would have come next',
      LAST_FAILED,
      { fromStep: 'plan-2', overrides: { 2: given('b') } },
      { firstMade: 3, plans: 1, outputs: ['a', 'b'] },
    ],
    [
      'there too with a failure that the model reads again',
      LAST_FAILED,
      { fromStep: 'plan-2' },
      { firstMade: 3, plans: 1, outputs: ['a', undefined] },
    ],
    [
      'at the first call of a plan whose calls were not made: the model makes the plan again',
      { plans: [[1], [2]], ends: { 1: { output: 'a' } } },
      { fromStep: '2' },
      { firstMade: 2, plans: 1, outputs: ['a'] },
    ],
    [
      'after a call that a rerun took, and that was replaced',
      {
        plans: [],
        ends: {},
        reused: {
          plans: [{ content: '', calls: [1, 2, 3].map(post) }] as never,
          firstMade: 4,
          outcomes: { 1: { output: 'a', executionTime: 1 }, 2: { error: { code: 'INTERNAL', message: '' } } },
        },
      },
      { fromStep: '3', overrides: { 2: given('b') } },
      { firstMade: 3, plans: 1, outputs: ['a', 'b'] },
    ],
  ])('%s', async (_what, run, request, expected) => {
    const { plans } = await reuse(run, request);
    const outputs = Object.values(plans?.outcomes ?? {}).map((one) => 'output' in one && one.output);
    expect({ firstMade: plans?.firstMade, plans: plans?.plans.length, outputs }).toEqual({
      ...expected,
      outputs: (expected as { outputs: unknown[] }).outputs.map((output) => output ?? false),
    });
  });

  test.each<[string, Given, RerunRequest, string]>([
    ['after a call that failed', STOPPED, { fromStep: '3' }, 'fromStep'],
    ['after a call that was not made', EXHAUSTED, { fromStep: '4' }, 'fromStep'],
    [
      'with a result for a call to which it does not come',
      { ...STOPPED, plans: [[1, 2, 3, 4]] },
      { fromStep: 'plan-2', overrides: { 3: given('c') } },
      'overrides.3',
    ],
    [
      'with a result for the call with which it begins',
      STOPPED,
      { fromStep: '2', overrides: { 2: given('b') } },
      'overrides.2',
    ],
    ['two plans later', LAST_FAILED, { fromStep: 'plan-3' }, 'fromStep'],
    [
      'after an answer, as no plan follows it',
      { plans: [[1], []], ends: { 1: { output: 'a' } } },
      { fromStep: 'plan-3' },
      'fromStep',
    ],
    [
      'after a call that was stopped, of which it is not known what it did',
      { plans: [[1]], ends: { 1: { failure: cancelled } } },
      { fromStep: 'plan-2' },
      'fromStep',
    ],
    [
      'after a call that did not end',
      { plans: [[1]], ends: { 1: 'open' } },
      { fromStep: 'plan-2' },
      'fromStep',
    ],
  ])('not %s', async (_what, run, request, field) => {
    await expect(reuse(run, request)).rejects.toMatchObject({ code: 'VALIDATION', details: { field } });
  });
});

describe('a failure is taken as the run had it', () => {
  const failureOf = async (failure: Failure, limits?: object) => {
    const run: Given = {
      plans: [[1]],
      ends: { 1: { failure } },
      ...(limits === undefined ? {} : { limits: { 1: limits } }),
    };
    const { plans } = await reuse(run, { fromStep: 'plan-2' });
    const taken = takeOutcome(post(1) as never, plans?.outcomes['1'] as ReusedOutcome);
    try {
      taken.result();
    } catch (error) {
      const { type, message, details } = error as { type: string; message: string; details: object[] };
      return { type, message, details: details[0] };
    }
    throw new Error('the call did not fail');
  };

  test.each<[string, Failure, object | undefined, object]>([
    [
      'no worker took it',
      { message: 'timeout', timeoutFailureInfo: { timeoutType: TIMEOUT_TYPE_SCHEDULE_TO_START } },
      undefined,
      {
        type: 'TOOL_TIMEOUT',
        message: expect.stringMatching(/within 900 ms .*: no worker took it from the task queue "runs-io"/),
        details: { toolName: 'api_call', timeout: 900, taskQueue: 'runs-io' },
      },
    ],
    [
      'its worker was lost, near the end of the budget',
      { message: 'timeout', timeoutFailureInfo: { timeoutType: TIMEOUT_TYPE_HEARTBEAT } },
      SHORTER,
      {
        type: 'TOOL_TIMEOUT',
        message: expect.stringMatching(
          /within 300 ms \(limit: options.budget.maxDurationMs\): .* it may have had its effect$/,
        ),
        details: { toolName: 'api_call', timeout: 300 },
      },
    ],
    [
      'its arguments were refused',
      {
        message: 'must be a number',
        applicationFailureInfo: { type: 'VALIDATION', details: { payloads: [pay({ field: 'args.a' })] } },
      },
      undefined,
      {
        type: 'TOOL_EXECUTION_FAILED',
        message: 'args.a must be a number',
        details: { toolName: 'api_call', args: post(1).call.args },
      },
    ],
  ])('%s', async (_what, failure, limits, expected) => {
    expect(await failureOf(failure, limits)).toEqual(expected);
  });
});
