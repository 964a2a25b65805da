import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { MemoryImportActivities } from '../activities/memory-imports';
import type { MemoryImportCounts } from '../src/contracts/http/memory-imports';
import type { MemoryImportInput } from '../src/contracts/runs/memory-import';
import { importInSteps, importStepOptions } from './steps/import-steps';

/**
 * Creates the memories of an upload, then the relations between them, and draws the facts of what was said, step by step. Lines that
 * cannot become memories are listed in the import's report.
 */
export function importMemories(input: MemoryImportInput): Promise<MemoryImportCounts> {
  return importInSteps(
    input,
    (current) => {
      const { phase, lines } = current;
      const { importMemoriesStep } = proxyActivities<MemoryImportActivities>(
        importStepOptions(
          phase === 'facts' ? 'facts of what was said' : `${phase} of lines from ${lines + 1} on`,
        ),
      );
      return importMemoriesStep(current);
    },
    (current) => continueAsNew<typeof importMemories>(current),
  );
}
