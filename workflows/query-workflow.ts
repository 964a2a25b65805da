import { workflowInfo } from '@temporalio/workflow';
import type { PlannedRunInput, PlannedRunResult } from '../src/contracts/runs/workflows';
import { PlannedToolFailure } from './planner/transcript';
import { runPlanned } from './planner/planned-run';
import { createFailure } from './steps/failures';

/** Works towards the goal that a sentence states. A tool that fails for good fails the run as a step of it. */
export async function queryWorkflow(input: PlannedRunInput): Promise<PlannedRunResult> {
  const started = Date.now();
  try {
    return await runPlanned(input);
  } catch (error) {
    if (!(error instanceof PlannedToolFailure)) throw error;
    const { workflowId, firstExecutionRunId: traceId } = workflowInfo();
    const { failure, details, stepNumber } = error;
    const { toolName: failedStep, args, completed } = details;
    const executionTime = Date.now() - started;
    const where = { workflowId, failedStep, stepNumber, executionTime, traceId };
    throw createFailure(
      'WORKFLOW_EXECUTION_FAILED',
      `Step ${stepNumber} (${failedStep}) failed: ${failure.message}`,
      { ...where, code: failure.type, args, completed },
      failure,
    );
  }
}
