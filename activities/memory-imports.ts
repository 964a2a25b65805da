import { Context } from '@temporalio/activity';
import type { MemoryImportCounts } from '../src/contracts/http/memory-imports';
import type { MemoryImportInput, MemoryImportStep } from '../src/contracts/runs/memory-import';
import type { ImportFiles } from '../src/imports/import-files';
import { importMemoriesStep } from '../src/memory/import/import-step';
import type { MemoryStores } from '../src/memory/stores/memory-stores';

export interface MemoryImportActivitiesPorts {
  /** The files of the imports of a user. */
  readonly filesOf: (userId: string) => ImportFiles<MemoryImportCounts>;
  readonly stores: Pick<MemoryStores, 'use'>;
}

/** The steps of the workflow that imports memories. Each step may be repeated. */
export interface MemoryImportActivities {
  importMemoriesStep(input: MemoryImportInput): Promise<MemoryImportStep>;
}

export function createMemoryImportActivities({
  filesOf,
  stores,
}: MemoryImportActivitiesPorts): MemoryImportActivities {
  return {
    importMemoriesStep: (input) =>
      stores.use(({ service }) =>
        importMemoriesStep(
          filesOf(input.userId),
          service.imports,
          input,
          Context.current().cancellationSignal,
        ),
      ),
  };
}
