import type { ExecuteToolFromQueryInput, ToolFromQueryResult } from '../src/contracts/runs/workflows';
import { Approvals } from './steps/approvals';
import { RunBudget } from './steps/run-budget';
import { planStep } from './steps/model-step';
import { createFailure } from './steps/failures';
import { runToolStep } from './steps/tool-step';

const INSTRUCTIONS =
  'Call the one tool that is offered, with arguments taken from what the user says. Do not make up a value.';

/**
 * Takes a tool's arguments out of a sentence, then runs the tool. If an argument is missing, the tool does not run.
 * @throws ApplicationFailure `QUERY_NOT_UNDERSTOOD`, or as `planStep` and `runToolStep` do
 */
export async function executeToolFromQuery(input: ExecuteToolFromQueryInput): Promise<ToolFromQueryResult> {
  const { query, tool, choice, toolLimits, modelLimits: limits } = input;
  const messages = [
    { role: 'system' as const, content: INSTRUCTIONS },
    { role: 'user' as const, content: query },
  ];
  const approvals = new Approvals(input.approval);
  // One plan has nothing to answer from without its tool, so the run fails even if the setting would let it finish.
  const onExceeded = input.budget?.onExceeded === 'pause' ? 'pause' : 'fail';
  const budget = new RunBudget(input.budget && { ...input.budget, onExceeded }, approvals);
  const asking = { choice, messages, mayPause: input.approval === undefined ? undefined : true };
  const { calls, usage, provider, model } = await budget.callModel(
    choice,
    (allowance) => planStep({ ...asking, limits: budget.fit(limits), allowance }, { tool }),
    (plan) => plan.usage,
  );
  const [planned] = calls;
  if (planned === undefined || calls.length > 1) {
    const message = `The query asks for ${calls.length} calls of "${tool.name}"; this endpoint makes exactly one`;
    throw createFailure('QUERY_NOT_UNDERSTOOD', message, { field: 'query', message });
  }
  const { call: plannedCall } = planned;
  await budget.beforeToolCall();
  const call = approvals.isNeeded(plannedCall) ? await approvals.ask(plannedCall, '1') : plannedCall;
  const { output, executionTime, logs } = await budget.callTool(toolLimits, (limits) =>
    runToolStep(call, '1', limits),
  );
  return {
    result: output,
    executionTime,
    toolName: tool.name,
    extractedArgs: call.args,
    llmUsage: usage,
    usage: budget.usage,
    provider,
    model,
    logs,
  };
}
