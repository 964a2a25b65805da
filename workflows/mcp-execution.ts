import { workflowInfo } from '@temporalio/workflow';
import type { PlannerLoopInput, PlannerLoopResult } from '../src/contracts/runs/workflows';
import { PlannedToolFailure } from './planner/transcript';
import { runPlannedQuery } from './planner/planned-run';
import { createFailure } from './steps/failures';

/**
 * Chooses tools for a sentence and runs them. A tool whose failure the planner cannot resolve fails the run with its
 * own error.
 */
export async function mcpExecution(input: PlannerLoopInput): Promise<PlannerLoopResult> {
  try {
    return await runPlannedQuery(input);
  } catch (error) {
    if (!(error instanceof PlannedToolFailure)) throw error;
    const { workflowId, firstExecutionRunId: traceId } = workflowInfo();
    const { failure, details } = error;
    throw createFailure(
      failure.type ?? 'INTERNAL',
      failure.message,
      { ...details, workflowId, traceId },
      failure,
    );
  }
}
