import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { RecordActivities } from '../activities/records';
import type { RetryDelays } from '../src/contracts/retries';
import type { ImportCounts, ImportInput } from '../src/contracts/records/imports';
import { failingAsItsSteps } from './memory-steps';
import { showProgress } from './progress';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from './tool-step';

/** Steps in one run: its history stays below 10,000 events. */
const MOST_STEPS = 1_000;
/** A store may be away for a while, and nobody waits. */
const DELAYS: RetryDelays = { firstMs: 500, factor: 2, longestMs: 30_000 };
/** Longest a step may be tried, its repeats included: a day, milliseconds. */
const STEP_LIMIT_MS = 86_400_000;
/** One attempt at a step. */
const ATTEMPT_LIMIT_MS = 300_000;

/** Creates the records of an upload, step by step. What cannot be created is in the import's report. */
export function importRecords(input: ImportInput): Promise<ImportCounts> {
  return failingAsItsSteps(async () => {
    let { offset, counts } = input;
    const progress = showProgress();
    const note = (state: 'running' | 'completed'): void =>
      progress.note({ step: input.importId, what: `${counts.rows} rows, ${counts.failed} failed`, state });
    for (let steps = 0; ; steps += 1) {
      note('running');
      if (steps === MOST_STEPS || workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof importRecords>({ ...input, offset, counts });
      }
      const step = await recordSteps(`rows from ${counts.rows + 1} on`).importStep({
        ...input,
        offset,
        counts,
      });
      ({ offset, counts } = step);
      if (step.done) break;
    }
    note('completed');
    return counts;
  });
}

/** The steps of a run, each with a line of its own in the Temporal UI. */
function recordSteps(summary: string): RecordActivities {
  return proxyActivities<RecordActivities>({
    startToCloseTimeout: ATTEMPT_LIMIT_MS,
    scheduleToCloseTimeout: STEP_LIMIT_MS,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    retry: retryPolicy(DELAYS),
    summary,
  });
}
