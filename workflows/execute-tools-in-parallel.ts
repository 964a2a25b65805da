import type { ApplicationFailure } from '@temporalio/common';
import type {
  ExecuteToolsInput,
  MultipleToolsResult,
  ToolFailure,
  ToolRunItem,
  ToolStepResult,
} from '../src/contracts/runs/tools';
import { Approvals, isExpiry } from './steps/approvals';
import { RunTooLargeError } from './steps/result-allowance';
import { noteTools } from './steps/run-attributes';
import { createFailure, toolFailureOf } from './steps/failures';
import { settleToolSteps } from './steps/tool-step';

type FirstFailure = NonNullable<ReturnType<typeof toolFailureOf>>;

interface Outcome {
  readonly item: ToolRunItem;
  readonly failed?: FirstFailure & { readonly entry: ToolFailure };
}

/**
 * Runs all tools at once. A failure is reported in the item of its tool and does not affect the others. The run fails
 * if every tool failed, with the failure of the first, and if an approval expired that ends the run.
 */
export async function executeToolsInParallel({
  calls,
  limits,
  approval,
  reused,
}: ExecuteToolsInput): Promise<MultipleToolsResult> {
  const started = Date.now();
  const settled = await settleToolSteps(calls, limits, new Approvals(approval), reused);
  const outcomes = settled.map((step, index) => toOutcome(step, calls[index]?.toolName ?? '', index));
  const failures = outcomes.flatMap(({ failed }) => failed ?? []);
  const errors = failures.map(({ entry }) => entry);
  const [first] = failures;
  if (first !== undefined && failures.length === calls.length) throw toRunFailure(first, errors);
  // The run completes, so its status does not show that some tools failed.
  if (first !== undefined) {
    noteTools(
      'HoldfastFailedTools',
      errors.map(({ toolName }) => toolName),
    );
  }
  return { results: outcomes.map(({ item }) => item), totalExecutionTime: Date.now() - started, errors };
}

/**
 * @throws any reason that is not a tool's failure: the run's cancellation, or the failure of a run that is too large;
 *   an expired approval that ends the run
 */
function toOutcome(settled: PromiseSettledResult<ToolStepResult>, toolName: string, index: number): Outcome {
  if (settled.status === 'fulfilled') {
    const { output, executionTime, logs } = settled.value;
    const data = { result: output, executionTime, logs };
    return { item: { toolName, success: true, data } };
  }
  if (settled.reason instanceof RunTooLargeError) throw settled.reason.failure;
  const known = toolFailureOf(settled.reason);
  if (known === undefined) throw settled.reason;
  const { failure, details } = known;
  if (isExpiry(failure)) throw failure;
  const entry = { index, toolName, code: failure.type ?? 'INTERNAL', error: failure.message };
  const logs = details.logs === undefined ? {} : { logs: details.logs };
  const answer = details.answer === undefined ? {} : { answer: details.answer };
  const data = { error: entry.error, code: entry.code, ...logs, ...answer };
  return { item: { toolName, success: false, data }, failed: { ...known, entry } };
}

/** Builds the failure of the run from that of the first tool, with the errors of all tools in its details. */
function toRunFailure(
  { failure, details }: FirstFailure,
  errors: readonly ToolFailure[],
): ApplicationFailure {
  const message =
    errors.length === 1
      ? failure.message
      : `None of the ${errors.length} tools succeeded: ${failure.message}`;
  return createFailure(failure.type ?? 'INTERNAL', message, { ...details, errors }, failure);
}
