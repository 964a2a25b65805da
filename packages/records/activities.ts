import { Context } from '@temporalio/activity';
import type { ImportInput, ImportStep } from './contracts/imports';
import type { ImportFiles } from '../../src/imports/import-files';
import { importStep } from './domain/import/import-step';
import type { RecordStore } from './stores/record-store';

export interface RecordActivitiesPorts {
  readonly files: ImportFiles;
  readonly store: RecordStore;
}

/** The steps of the workflow that imports records. Each step may be repeated. */
export type RecordActivities = {
  importStep(input: ImportInput): Promise<ImportStep>;
};

export function createRecordActivities({ files, store }: RecordActivitiesPorts): RecordActivities {
  return {
    importStep: (input) => importStep(files, store, input, Context.current().cancellationSignal),
  };
}
