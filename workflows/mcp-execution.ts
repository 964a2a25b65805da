import { workflowInfo } from '@temporalio/workflow';
import type { PlannedRunInput, PlannedRunResult } from '../src/contracts/runs/workflows';
import { PlannedToolFailure } from './planner/transcript';
import { runPlanned } from './planner/planned-run';
import { createFailure } from './steps/failures';

/** Chooses tools for a sentence and runs them. A tool that fails for good fails the run as it would alone. */
export async function mcpExecution(input: PlannedRunInput): Promise<PlannedRunResult> {
  try {
    return await runPlanned(input);
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
