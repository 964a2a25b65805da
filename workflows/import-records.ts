import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { RecordActivities } from '../activities/records';
import type { ImportCounts, ImportInput } from '../src/contracts/http/records/imports';
import { withStepFailure, longStep } from './steps/long-steps';
import { showProgress } from './steps/progress';

/** Steps of one run before it continues as new, so that its history stays below 10,000 events. */
const MAX_STEPS = 1_000;
const ATTEMPT_LIMIT_MS = 300_000;

/** Creates the records of an upload, step by step. Rows that cannot be created are listed in the import's report. */
export function importRecords(input: ImportInput): Promise<ImportCounts> {
  return withStepFailure(async () => {
    let { offset, counts } = input;
    const progress = showProgress();
    const note = (state: 'running' | 'completed'): void =>
      progress.note({ step: input.importId, what: `${counts.rows} rows, ${counts.failed} failed`, state });
    for (let steps = 0; ; steps += 1) {
      note('running');
      if (steps === MAX_STEPS || workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof importRecords>({ ...input, offset, counts });
      }
      const { importStep } = proxyActivities<RecordActivities>(
        longStep(`rows from ${counts.rows + 1} on`, { attemptMs: ATTEMPT_LIMIT_MS }),
      );
      const step = await importStep({
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
