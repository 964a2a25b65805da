import { fitDetail, isJsonObject } from '../src/contracts/json';
import { jsonLength } from '../src/contracts/json-length';
import { isInlineCall } from '../src/contracts/runs/calls';
import type {
  ExecuteToolsInput,
  MultipleToolsResult,
  ToolCall,
  ToolRunItem,
  ToolStepResult,
} from '../src/contracts/runs/tools';
import { type FollowingCalls, takeFollowing } from '../src/templates/following-calls';
import { previousResultScope } from '../src/templates/previous-result';
import { TemplateReferenceError } from '../src/templates/resolve';
import { resolvedLength } from '../src/templates/resolved-length';
import { MAX_INSERTED, resolveCall } from '../src/templates/resolved-arguments';
import { Approvals } from './steps/approvals';
import { ByteBudget } from './steps/byte-budget';
import { SharedSteps } from './steps/shared-steps';
import { RunTooLargeError } from './steps/result-allowance';
import { createFailure, toolFailureOf } from './steps/failures';

/**
 * Runs one tool after another, neighbouring inline calls in one step. `{{previous_result}}` in an argument stands for
 * the preceding tool's output. The first failure fails the run; its details name the failed call and the results before
 * it.
 */
export async function executeToolsInSequence({
  calls,
  limits,
  approval,
  reused = {},
}: ExecuteToolsInput): Promise<MultipleToolsResult> {
  const started = Date.now();
  const results: ToolRunItem[] = [];
  const budget = new ByteBudget();
  const steps = new SharedSteps();
  const approvals = new Approvals(approval);
  let previous: unknown;
  for (const { output } of Object.values(reused)) budget.hold(jsonLength(output));
  for (const [index, call] of calls.entries()) {
    const known = reused[String(index + 1)];
    if (known !== undefined) {
      previous = known.output;
      results.push({ toolName: call.toolName, success: true, ...toItemData(call.toolName, known) });
      continue;
    }
    try {
      const step = await budget.call(
        () =>
          index === 0
            ? { length: 0 }
            : resolvedLength(call.args, previousResultScope(previous), MAX_INSERTED),
        () => {
          const resolved =
            index === 0 ? call : resolveCall(call, previousResultScope(previous), MAX_INSERTED);
          const step = String(index + 1);
          const make = (made: ToolCall): Promise<ToolStepResult> =>
            steps.run(made, step, limits, () => followingCalls(calls, index, { approvals, reused }));
          const run = (): Promise<ToolStepResult> =>
            approvals.isNeeded(resolved) ? approvals.ask(resolved, step).then(make) : make(resolved);
          return { length: jsonLength(resolved), isInline: isInlineCall(resolved), run };
        },
        ({ output }) => output,
      );
      previous = step.output;
      results.push({ toolName: call.toolName, success: true, ...toItemData(call.toolName, step) });
    } catch (error) {
      throw withPosition(error, call, index, results);
    }
  }
  return { results, totalExecutionTime: Date.now() - started, errors: [] };
}

/** The calls that may share the step of a call: those after it, up to the first that has to be approved or is not made. */
function followingCalls(
  calls: readonly ToolCall[],
  index: number,
  { approvals, reused }: { readonly approvals: Approvals; readonly reused: object },
): FollowingCalls | undefined {
  const named = calls.map((call, at) => ({ call, step: String(at + 1) }));
  const end = calls.findIndex(
    (call, at) => at > index && (approvals.isNeeded(call) || Object.hasOwn(reused, String(at + 1))),
  );
  return takeFollowing(named.slice(index + 1, end === -1 ? undefined : end));
}

/** Builds an item's `data`: the output itself if it is an object, else the shape of a single execution. */
function toItemData(
  toolName: string,
  { output, executionTime, logs }: ToolStepResult,
): Pick<ToolRunItem, 'data' | 'logs'> {
  const printed = logs === undefined ? {} : { logs };
  return isJsonObject(output)
    ? { data: output, ...printed }
    : { data: { result: output, executionTime, toolName, ...printed } };
}

/** Builds the failure of the run from that of a call, and adds the number of the call and the results before it. */
export function withPosition(
  error: unknown,
  call: ToolCall,
  index: number,
  results: readonly ToolRunItem[],
): unknown {
  const position = { stepNumber: index + 1, completed: fitDetail(results) };
  if (error instanceof RunTooLargeError) {
    const { type, message } = error.failure;
    return createFailure(type ?? 'INTERNAL', message, { toolName: call.toolName, ...position }, error);
  }
  const known = toolFailureOf(error);
  if (known === undefined && !(error instanceof TemplateReferenceError)) return error;
  const about = known?.details ?? { toolName: call.toolName, args: fitDetail(call.args) };
  const reason = known?.failure.message ?? (error as Error).message;
  const type = known?.failure.type ?? 'TOOL_EXECUTION_FAILED';
  return createFailure(
    type,
    `Step ${index + 1} (${call.toolName}): ${reason}`,
    { ...about, ...position },
    error,
  );
}
