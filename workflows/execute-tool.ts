import type { ExecuteToolInput, SingleToolResult } from '../src/contracts/runs/tools';
import { Approvals } from './steps/approvals';
import { runToolStep } from './steps/tool-step';

/** Runs one tool. A failure of the tool fails the run, and so does a call that is denied. */
export async function executeTool({ call, limits, approval }: ExecuteToolInput): Promise<SingleToolResult> {
  const approvals = new Approvals(approval);
  const approved = approvals.isNeeded(call) ? await approvals.ask(call, '1') : call;
  const { output, executionTime, logs } = await runToolStep(approved, '1', limits);
  return { result: output, executionTime, toolName: call.toolName, logs };
}
