import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { RedrawFactsInput, RedrawFactsResult } from '../src/contracts/runs/facts';
import { withStepFailure } from './steps/long-steps';
import { memorySteps } from './steps/memory-steps';
import { showProgress } from './steps/progress';

/** Steps of one run before it continues as new, so that its history stays below 10,000 events. */
const MAX_STEPS = 1_000;

/** Draws the facts of all users of a tenant anew, by the rules of this build. No step names a user. */
export function redrawFacts(input: RedrawFactsInput): Promise<RedrawFactsResult> {
  return withStepFailure(async () => {
    let { users = 0, memories = 0, failed = 0 } = input;
    const progress = showProgress();
    for (let steps = 0; ; steps += 1) {
      if (steps === MAX_STEPS || workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof redrawFacts>({ users, memories, failed });
      const step = await memorySteps('draw the facts of the next memories anew').redrawFacts();
      users += step.users;
      memories += step.memories;
      failed += step.failed;
      const what = `${memories} memories of ${users} users read`;
      progress.note({ step: 'facts', what, state: step.done ? 'completed' : 'running' });
      if (step.done) return { users, memories, failed };
    }
  });
}
