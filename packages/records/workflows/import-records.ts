import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { RecordActivities } from '../activities';
import type { ImportCounts } from '../../../src/contracts/http/imports';
import type { ImportInput } from '../contracts/imports';
import { importInSteps, importStepOptions } from '../../../workflows/steps/import-steps';

/** Creates the records of an upload, step by step. Rows that cannot be created are listed in the import's report. */
export function importRecords(input: ImportInput): Promise<ImportCounts> {
  return importInSteps(
    input,
    (current) => {
      const { importStep } = proxyActivities<RecordActivities>(
        importStepOptions(`rows from ${current.counts.rows + 1} on`),
      );
      return importStep(current);
    },
    (current) => continueAsNew<typeof importRecords>(current),
  );
}
