import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { ConsolidationPassInput, ConsolidationPassResult } from '../src/contracts/runs/consolidation';
import { consolidationSteps } from './steps/memory-steps';
import { withStepFailure } from './steps/long-steps';
import { showProgress } from './steps/progress';

/** Steps of one run before it continues as new, so that its history stays below 10,000 events. */
const MAX_STEPS = 1_000;

/** Consolidates the memories of all users of a tenant, a few users in each step. No step names a user. */
export function consolidateAllUsers(input: ConsolidationPassInput): Promise<ConsolidationPassResult> {
  return withStepFailure(async () => {
    let { users = 0, archived = 0, failed = 0 } = input;
    const progress = showProgress();
    for (let steps = 0; ; steps += 1) {
      if (steps === MAX_STEPS || workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof consolidateAllUsers>({ users, archived, failed });
      const step = await consolidationSteps('consolidate the memories of the next users').consolidateUsers();
      users += step.users;
      archived += step.archived;
      failed += step.failed ?? 0;
      const what = `${users} users, ${archived} memories archived`;
      progress.note({ step: 'users', what, state: step.done ? 'completed' : 'running' });
      if (step.done) return { users, archived, failed };
    }
  });
}
