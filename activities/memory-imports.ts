import { Context } from '@temporalio/activity';
import type { MemoryImportCounts } from '../src/contracts/http/memory-imports';
import type { MemoryImportInput, MemoryImportStep } from '../src/contracts/runs/memory-import';
import type { ImportFiles } from '../src/imports/import-files';
import { importMemoriesStep } from '../src/memory/import/import-step';
import type { OpensMemory } from '../src/memory/create-memory-system';

export interface MemoryImportActivitiesPorts {
  /** The files of the imports of a user. */
  readonly filesOf: (userId: string) => ImportFiles<MemoryImportCounts>;
  readonly memory: OpensMemory;
}

/** The steps of the workflow that imports memories. Each step may be repeated. */
export interface MemoryImportActivities {
  importMemoriesStep(input: MemoryImportInput): Promise<MemoryImportStep>;
}

export function createMemoryImportActivities({
  filesOf,
  memory,
}: MemoryImportActivitiesPorts): MemoryImportActivities {
  return {
    importMemoriesStep: async (input) =>
      importMemoriesStep(
        filesOf(input.userId),
        (await memory.open()).imports,
        input,
        Context.current().cancellationSignal,
      ),
  };
}
