import { workflowInfo } from '@temporalio/workflow';
import type { PlannerLoopInput, PlannerLoopResult } from '../src/contracts/runs/workflows';
import { PlannedToolFailure } from './planner/transcript';
import { runPlannedQuery } from './planner/planned-run';
import { createFailure } from './steps/failures';

/**
 * Works towards the goal that a sentence states. A tool whose failure the planner cannot resolve fails the run as its
 * step.
 */
export async function queryWorkflow(input: PlannerLoopInput): Promise<PlannerLoopResult> {
  const started = Date.now();
  try {
    return await runPlannedQuery(input);
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
