import { Context } from '@temporalio/activity';
import type { ImportInput, ImportStep } from '../src/contracts/http/records/imports';
import type { ImportFiles } from '../src/imports/import-files';
import { importStep } from '../src/records/import/import-step';
import type { RecordStore } from '../src/stores/records/record-store';

export interface RecordActivitiesPorts {
  readonly files: ImportFiles;
  readonly store: RecordStore;
}

/** The steps of the workflow that imports records. Each step may be repeated. */
export interface RecordActivities {
  importStep(input: ImportInput): Promise<ImportStep>;
}

export function createRecordActivities({ files, store }: RecordActivitiesPorts): RecordActivities {
  return {
    importStep: (input) => importStep(files, store, input, Context.current().cancellationSignal),
  };
}
