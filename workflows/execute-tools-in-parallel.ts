import type { ApplicationFailure } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type {
  ExecuteToolsInput,
  MultipleToolsResult,
  ToolCall,
  ToolFailure,
  ToolLimits,
  ToolRunItem,
} from '../src/contracts/runs';
import { fitNames, SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes';
import { createFailure, toolFailureOf } from './tool-failures';
import { runToolStep } from './tool-step';

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
  const outcomes = await Promise.all(calls.map((call, index) => settle(call, index, limits)));
  const failures = outcomes.flatMap(({ failed }) => failed ?? []);
  const errors = failures.map(({ told }) => told);
  const [first] = failures;
  if (first !== undefined && failures.length === calls.length) throw everyToolFailed(first, errors);
  if (first !== undefined) markFailedTools(errors);
  return { results: outcomes.map(({ item }) => item), totalExecutionTime: Date.now() - started, errors };
}

async function settle(call: ToolCall, index: number, limits: ToolLimits): Promise<Outcome> {
  const { toolName } = call;
  try {
    const { output, executionTime, logs } = await runToolStep(call, String(index + 1), limits);
    return {
      item: { toolName, success: true, data: { result: output, executionTime, ...(logs ? { logs } : {}) } },
    };
  } catch (error) {
    const known = toolFailureOf(error);
    if (known === undefined) throw error;
    const { failure, details } = known;
    const told = { index, toolName, code: failure.type ?? 'INTERNAL', error: failure.message };
    const logs = details.logs === undefined ? {} : { logs: details.logs };
    const data = { error: told.error, code: told.code, ...logs };
    return { item: { toolName, success: false, data }, failed: { ...known, told } };
  }
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

/** Lets an operator find runs that completed although some tool failed. */
function markFailedTools(errors: readonly ToolFailure[]): void {
  // A server where the attributes could not be registered would refuse the workflow task.
  if (workflowInfo().typedSearchAttributes.getAll().length === 0) return;
  const tools = fitNames(errors.map(({ toolName }) => toolName));
  const key = { name: 'HoldfastFailedTools', type: SEARCH_ATTRIBUTES.HoldfastFailedTools };
  upsertSearchAttributes([{ key, value: tools }]);
}
