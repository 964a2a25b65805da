import type { ExecuteToolInput, SingleToolResult } from '../src/contracts/runs/tools';
import { runToolStep } from './steps/tool-step';

/** Runs one tool. A failure of the tool fails the run. */
export async function executeTool({ call, limits }: ExecuteToolInput): Promise<SingleToolResult> {
  const { output, executionTime, logs } = await runToolStep(call, '1', limits);
  return { result: output, executionTime, toolName: call.toolName, logs };
}
