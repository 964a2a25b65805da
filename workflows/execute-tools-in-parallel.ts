import type { ApplicationFailure } from '@temporalio/common';
import type {
  ExecuteToolsInput,
  MultipleToolsResult,
  ToolFailure,
  ToolRunItem,
  ToolStepResult,
} from '../src/contracts/runs/tools';
import { RunTooLargeError } from './steps/result-allowance';
import { noteTools } from './steps/tool-attributes';
import { createFailure, toolFailureOf } from './steps/failures';
import { settleToolSteps } from './steps/tool-step';

type FirstFailure = NonNullable<ReturnType<typeof toolFailureOf>>;

interface Outcome {
  readonly item: ToolRunItem;
  readonly failed?: FirstFailure & { readonly told: ToolFailure };
}

/**
 * Runs all tools at once. One tool's failure is told in its item and does not touch the others; only where
 * every tool failed does the run fail, as the first of them did.
 */
export async function executeToolsInParallel({
  calls,
  limits,
}: ExecuteToolsInput): Promise<MultipleToolsResult> {
  const started = Date.now();
  const settled = await settleToolSteps(calls, limits);
  const outcomes = settled.map((step, index) => toOutcome(step, calls[index]?.toolName ?? '', index));
  const failures = outcomes.flatMap(({ failed }) => failed ?? []);
  const errors = failures.map(({ told }) => told);
  const [first] = failures;
  if (first !== undefined && failures.length === calls.length) throw everyToolFailed(first, errors);
  // The run completes, and its status says nothing of them.
  if (first !== undefined) {
    noteTools(
      'HoldfastFailedTools',
      errors.map(({ toolName }) => toolName),
    );
  }
  return { results: outcomes.map(({ item }) => item), totalExecutionTime: Date.now() - started, errors };
}

/** @throws what is no tool's failure: the run's own cancellation, or that it would become too large */
function toOutcome(settled: PromiseSettledResult<ToolStepResult>, toolName: string, index: number): Outcome {
  if (settled.status === 'fulfilled') {
    const { output, executionTime, logs } = settled.value;
    const data = { result: output, executionTime, ...(logs ? { logs } : {}) };
    return { item: { toolName, success: true, data } };
  }
  if (settled.reason instanceof RunTooLargeError) throw settled.reason.failure;
  const known = toolFailureOf(settled.reason);
  if (known === undefined) throw settled.reason;
  const { failure, details } = known;
  const told = { index, toolName, code: failure.type ?? 'INTERNAL', error: failure.message };
  const logs = details.logs === undefined ? {} : { logs: details.logs };
  const data = { error: told.error, code: told.code, ...logs };
  return { item: { toolName, success: false, data }, failed: { ...known, told } };
}

/** The first tool's failure, with all of them in its details. */
function everyToolFailed(
  { failure, details }: FirstFailure,
  errors: readonly ToolFailure[],
): ApplicationFailure {
  const message =
    errors.length === 1
      ? failure.message
      : `None of the ${errors.length} tools succeeded: ${failure.message}`;
  return createFailure(failure.type ?? 'INTERNAL', message, { ...details, errors }, failure);
}
