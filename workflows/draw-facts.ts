import { proxyActivities } from '@temporalio/workflow';
import type { FactActivities } from '../activities/facts';
import type { DrawFactsInput, DrawFactsResult } from '../src/contracts/runs/facts';
import { addUsage, NO_USAGE } from '../src/contracts/runs/token-usage';
import { summariseModelCall } from '../src/contracts/runs/summaries';
import { longStep, withStepFailure } from './steps/long-steps';
import { inQueue } from './steps/step-queue';

/** Memories of one run, so that its history stays short. A worker starts another run for those that are left. */
const MAX_MEMORIES = 100;
/** Limit of a step with all its retries, which wait for a store that is away, milliseconds. */
const STEP_LIMIT_MS = 1_800_000;
/** An attempt has this much more time than the model, to read and to write, milliseconds. */
const MARGIN_MS = 30_000;

/** Draws facts from the memories of a user that a model has still to read, one after another. */
export function drawFacts(input: DrawFactsInput): Promise<DrawFactsResult> {
  return withStepFailure(async () => {
    const { choice, timeoutMs } = input;
    const limits = { attemptMs: timeoutMs + MARGIN_MS, limitMs: STEP_LIMIT_MS };
    const { drawNextFacts } = proxyActivities<FactActivities>({
      ...longStep(summariseModelCall(choice, 'draw facts'), limits),
      ...inQueue('models'),
    });
    const refused: Record<string, number> = {};
    let [memories, drawn, failed, usage] = [0, 0, 0, NO_USAGE];
    while (memories < MAX_MEMORIES) {
      const step = await drawNextFacts(input);
      if (!step.read) break;
      memories += 1;
      drawn += step.drawn;
      failed += step.failed === undefined ? 0 : 1;
      usage = addUsage(usage, step.usage);
      for (const [why, count] of Object.entries(step.refused)) refused[why] = (refused[why] ?? 0) + count;
    }
    return { memories, drawn, refused, failed, usage };
  });
}
