import type { ApplicationFailure } from '@temporalio/common';
import { CancellationScope, isCancellation, workflowInfo } from '@temporalio/workflow';
import { fitDetail } from '../src/contracts/json';
import { jsonLength } from '../src/contracts/json-length';
import { approvalOf } from '../src/contracts/runs/approval-needs';
import type { CustomWorkflowInput, PreparedStep } from '../src/contracts/runs/workflows';
import type { CustomWorkflowResult, StepOutcome } from '../src/contracts/http/workflows';
import { ComparisonWork } from '../src/templates/comparison-work';
import { holds } from '../src/templates/evaluate-condition';
import type { TemplateReference } from '../src/templates/expression';
import { workflowReference, type WorkflowValues } from '../src/templates/workflow-scope';
import { addUsage, NO_USAGE } from '../src/contracts/runs/token-usage';
import { Approvals, isExpiry, isDenial } from './steps/approvals';
import { ByteBudget } from './steps/byte-budget';
import { forEachItem, ItemAllowance, ItemFailure } from './custom/for-each';
import { type Progress, type ProgressStep, showProgress } from './steps/progress';
import { OneAtATime } from './steps/one-at-a-time';
import { SharedSteps } from './steps/shared-steps';
import { RunTooLargeError } from './steps/result-allowance';
import { takeItems } from './custom/step-items';
import { createFailure } from './steps/failures';
import { type CallOutcome, describeStep } from './custom/build-call';
import { makeCall, type RunOfCalls } from './custom/make-call';
import { isMistake } from './custom/mistakes';
import { addressOf, answerOf, codeOf, messageOf, problemOf, shortAnswerOf } from './custom/problems';

/** A step failed, and the run with it: one without `continueOnError`, or one whose approval expired and ends the run. */
class StepFailure extends Error {
  constructor(
    readonly step: PreparedStep,
    readonly reason: unknown,
    /** Present for a forEach step: which item failed, and which were completed before. */
    readonly item?: Pick<ItemFailure, 'index' | 'completed'>,
  ) {
    super(messageOf(reason));
  }
}

interface Run extends RunOfCalls {
  readonly outcomes: Record<string, StepOutcome>;
  readonly allowance: ItemAllowance;
  readonly progress: Progress;
}

/**
 * Runs the steps of a workflow, each as soon as the steps that it waits for have ended. The first failure that
 * `continueOnError` does not cover cancels the running steps and fails the run.
 * @throws ApplicationFailure `WORKFLOW_EXECUTION_FAILED`; the run's cancellation
 */
export async function customWorkflow({
  steps,
  inputs,
  approval,
  reused = {},
}: CustomWorkflowInput): Promise<CustomWorkflowResult> {
  const started = Date.now();
  const { workflowId, firstExecutionRunId: traceId } = workflowInfo();
  const run: Run = {
    steps,
    outcomes: { ...reused },
    allowance: new ItemAllowance(),
    budget: new ByteBudget(),
    sharedSteps: new SharedSteps(),
    localSteps: new OneAtATime(),
    approvals: new Approvals(approval),
    progress: showProgress(
      steps.map((step) =>
        toProgressStep(step, Object.hasOwn(reused, step.step.id) ? 'completed' : 'waiting'),
      ),
    ),
    calls: [],
    addresses: new Map(),
    changed: new Set(),
  };
  // Results that the run did not make itself take a part of its memory too.
  for (const { result } of Object.values(reused)) run.budget.hold(jsonLength(result));
  const scope = new CancellationScope();
  try {
    await scope.run(() => runSteps(steps, inputs, run));
  } catch (error) {
    scope.cancel();
    run.budget.close();
    await Promise.allSettled(run.calls);
    noteCancelledSteps(steps, run, error);
    if (!(error instanceof StepFailure)) throw error;
    throw toWorkflowFailure(error, run, Date.now() - started);
  }
  const results = Object.fromEntries(
    steps.map(({ step: { id } }) => [id, run.outcomes[id] as StepOutcome] as const),
  );
  return { workflowId, status: 'completed', results, executionTime: Date.now() - started, traceId };
}

async function runSteps(
  steps: readonly PreparedStep[],
  inputs: WorkflowValues['inputs'],
  run: Run,
): Promise<void> {
  const ended = new Map<string, Promise<void>>();
  for (const [index, prepared] of steps.entries()) {
    if (Object.hasOwn(run.outcomes, prepared.step.id)) {
      ended.set(prepared.step.id, Promise.resolve());
      continue;
    }
    // Steps wait for earlier steps only, so every promise that is needed exists by now.
    const before = prepared.waitsFor.map((id) => ended.get(id));
    const { id } = prepared.step;
    const values = {
      inputs,
      outcomes: run.outcomes,
      previous: steps[index - 1]?.step.id,
      runId: workflowInfo().firstExecutionRunId,
      stepId: id,
    };
    const one = async (): Promise<void> => {
      await Promise.all(before as readonly Promise<void>[]);
      run.outcomes[id] = await settleStep(prepared, values, run);
    };
    ended.set(id, one());
  }
  await Promise.all(ended.values());
}

/** Shows every step that had not ended when the run failed as cancelled. */
function noteCancelledSteps(
  steps: readonly PreparedStep[],
  { outcomes, progress }: Run,
  error: unknown,
): void {
  const failed = error instanceof StepFailure ? error.step.step.id : undefined;
  for (const step of steps) {
    const { id } = step.step;
    if (id !== failed && outcomes[id] === undefined) progress.note(toProgressStep(step, 'cancelled'));
  }
}

/** @throws StepFailure; the run's cancellation */
async function settleStep(prepared: PreparedStep, values: WorkflowValues, run: Run): Promise<StepOutcome> {
  const { step } = prepared;
  const started = Date.now();
  const { progress } = run;
  progress.note(toProgressStep(prepared, 'running'));
  try {
    // Awaits only if there is something to wait for, because the order in which steps begin is part of the
    // determinism.
    for (let wait = waitToCompare(step, run); wait !== undefined; wait = waitToCompare(step, run)) await wait;
    const isWanted = step.when === undefined || isMet(step.when, values, run);
    const outcome: CallOutcome = isWanted ? await runStep(prepared, values, run) : { result: null };
    const status = isWanted ? 'completed' : 'skipped';
    progress.note(toProgressStep(prepared, status));
    return { status, ...outcome, executionTime: outcome.executionTime ?? Date.now() - started };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const isSkipped = isSkippedBy(step, error);
    progress.note(toProgressStep(prepared, isSkipped ? 'skipped' : 'failed'));
    if (error instanceof ItemFailure) throw new StepFailure(prepared, error.reason, error);
    if (error instanceof RunTooLargeError) throw new StepFailure(prepared, error.failure);
    if (!isSkipped && !continuesAfter(prepared, error, step.id, values, run))
      throw new StepFailure(prepared, error);
    return {
      status: isSkipped ? 'skipped' : 'failed',
      result: null,
      executionTime: Date.now() - started,
      error: { ...problemOf(error), ...answerOf(error) },
    };
  }
}

async function runStep(
  prepared: PreparedStep,
  values: WorkflowValues,
  run: Run,
): Promise<CallOutcome & Pick<StepOutcome, 'errors'>> {
  const { id, forEach } = prepared.step;
  if (forEach === undefined) return makeCall(prepared, id, values, run);
  for (let wait = run.budget.roomForWork(); wait !== undefined; wait = run.budget.roomForWork()) await wait;
  const { items, release } = takeItems(forEach.items, values, run);
  const { concurrency } = forEach;
  const options = {
    concurrency,
    continuesAfter: (reason: unknown, index: number): boolean =>
      continuesAfter(prepared, reason, `${id}[${index}]`, values, run) || isSkippedBy(prepared.step, reason),
  };
  const settled = await forEachItem(items, options, (value, index) =>
    makeCall(prepared, `${id}[${index}]`, { ...values, item: { value, index } }, run),
  );
  release();
  const failed = settled.flatMap((one, index) =>
    one.status === 'rejected'
      ? [
          {
            index,
            ...addressOf(`${id}[${index}]`, run),
            ...problemOf(one.reason),
            ...shortAnswerOf(one.reason),
          },
        ]
      : [],
  );
  return {
    result: settled.map((one) => (one.status === 'fulfilled' ? one.value.result : null)),
    ...sumUsage(settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))),
    ...(failed.length > 0 ? { errors: failed } : {}),
  };
}

/**
 * Whether the workflow continues after a call of a step failed, as its author wants, with the step as a failed one. A mistake in
 * the definition ends the run, because it would pass as a success each time.
 * @param name the call's name within the run
 */
function continuesAfter(
  prepared: PreparedStep,
  reason: unknown,
  name: string,
  values: WorkflowValues,
  { steps, changed }: Run,
): boolean {
  if (prepared.step.continueOnError !== true || isExpiry(reason)) return false;
  // What a person has written is no part of the definition.
  if (changed.has(name)) return true;
  return !isMistake(reason, prepared, steps, values);
}

/** Whether a step is skipped because its call was denied. */
function isSkippedBy(step: PreparedStep['step'], reason: unknown): boolean {
  return isDenial(reason) && approvalOf(step)?.onDenied === 'continue';
}

/** @returns what a step with a condition waits for before it compares; undefined if it can begin at once */
function waitToCompare({ when }: PreparedStep['step'], { budget }: Run): Promise<void> | undefined {
  return when === undefined ? undefined : budget.roomForWork();
}

/** @throws ConditionError; TemplateReferenceError if a function does not take its value */
function isMet(condition: string, values: WorkflowValues, { budget }: Run): boolean {
  const work = new ComparisonWork();
  try {
    const scope = (expression: TemplateReference): unknown => workflowReference(expression, values);
    return holds(condition, scope, work);
  } finally {
    budget.countWork(work.done);
  }
}

/** Adds up the token usage of the model calls of all items. */
function sumUsage(calls: readonly CallOutcome[]): Pick<CallOutcome, 'provider' | 'model' | 'usage'> {
  const usages = calls.flatMap(({ usage }) => usage ?? []);
  const [first] = calls;
  if (usages.length === 0 || first === undefined) return {};
  return { provider: first.provider, model: first.model, usage: usages.reduce(addUsage, NO_USAGE) };
}

function toWorkflowFailure(
  { step: { step }, reason, message, item }: StepFailure,
  run: Run,
  executionTime: number,
): ApplicationFailure {
  const { steps, outcomes } = run;
  const { workflowId, firstExecutionRunId: traceId } = workflowInfo();
  const stepNumber = steps.findIndex((one) => one.step.id === step.id) + 1;
  return createFailure(
    'WORKFLOW_EXECUTION_FAILED',
    `Step ${stepNumber} of ${steps.length} (${step.id}${item ? `[${item.index}]` : ''}) failed: ${message}`,
    {
      workflowId,
      failedStep: step.id,
      stepNumber,
      executionTime,
      traceId,
      code: codeOf(reason),
      index: item?.index,
      ...(item && addressOf(`${step.id}[${item.index}]`, run)),
      completedItems: item?.completed,
      ...answerOf(reason),
      completed: fitDetail(outcomes),
    },
    reason,
  );
}

function toProgressStep(prepared: PreparedStep, state: ProgressStep['state']): ProgressStep {
  return { step: prepared.step.id, what: describeStep(prepared), state };
}
