import { ApplicationFailure } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { fitDetail } from '../src/contracts/json';
import type {
  ExecuteToolsInput,
  MultipleToolsResult,
  ToolCall,
  ToolFailure,
  ToolLimits,
  ToolRunItem,
} from '../src/contracts/runs';
import { SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes';
import { runToolStep, toolFailureOf } from './tool-step';

interface Outcome {
  readonly item: ToolRunItem;
  readonly failure?: ToolFailure;
}

/**
 * Runs all tools at once. One tool's failure is told in its item and does not touch the others; only where
 * every tool failed does the run fail, with the first tool's code.
 */
export async function executeToolsInParallel({
  calls,
  limits,
}: ExecuteToolsInput): Promise<MultipleToolsResult> {
  const started = Date.now();
  const outcomes = await Promise.all(calls.map((call, index) => settle(call, index, limits)));
  const errors = outcomes.flatMap(({ failure }) => failure ?? []);
  const [first] = errors;
  if (first !== undefined && errors.length === calls.length) throw everyToolFailed(first, calls, errors);
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
    const failure = { index, toolName, code: known.failure.type ?? 'INTERNAL', error: known.failure.message };
    return {
      item: { toolName, success: false, data: { error: failure.error, code: failure.code } },
      failure,
    };
  }
}

function everyToolFailed(
  first: ToolFailure,
  calls: readonly ToolCall[],
  errors: readonly ToolFailure[],
): ApplicationFailure {
  const message =
    calls.length === 1 ? first.error : `None of the ${calls.length} tools succeeded: ${first.error}`;
  const details = { toolName: first.toolName, args: fitDetail(calls[0]?.args), errors };
  return ApplicationFailure.create({ type: first.code, message, nonRetryable: true, details: [details] });
}

/** Lets an operator find runs that completed although some tool failed. */
function markFailedTools(errors: readonly ToolFailure[]): void {
  // A server where the attributes could not be registered would refuse the workflow task.
  if (workflowInfo().typedSearchAttributes.getAll().length === 0) return;
  const tools = [...new Set(errors.map(({ toolName }) => toolName))];
  const key = { name: 'HoldfastFailedTools', type: SEARCH_ATTRIBUTES.HoldfastFailedTools };
  upsertSearchAttributes([{ key, value: tools }]);
}
