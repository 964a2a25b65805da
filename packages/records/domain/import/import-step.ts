import type { ImportInput, ImportStep } from '../../contracts/imports';
import type { RecordStore } from '../../stores/record-store';
import type { ImportFiles } from '../../../../src/imports/import-files';
import { importRows } from './import-rows';

/** Limits of one step, which `importRows` may write in several transactions. A step ends with the row by which it reaches either limit. */
const STEP_BOUNDS = { rows: 500, bytes: 4 * 1_024 * 1_024 };

/**
 * Imports the next rows. A repeat with the same input changes nothing and has the same result. It does not read the
 * report, because engine and records may have been restored to an earlier time than the report. After an abort by
 * `signal` it writes nothing more, neither records nor the report, and rejects with the signal's reason.
 */
export async function importStep(
  files: ImportFiles,
  store: RecordStore,
  input: ImportInput,
  signal?: AbortSignal,
): Promise<ImportStep> {
  const { importId, collection, startedAt, offset, counts } = input;
  const read = await files.read(importId, offset, STEP_BOUNDS);
  const { created, present, errors } = await importRows(read.rows, {
    store,
    importId,
    startedAt,
    firstLine: counts.rows + 1,
    signal,
    storeFirstLook: (lines) => files.storeFirstLook(importId, offset, lines),
    collection,
  });
  signal?.throwIfAborted();
  const total = {
    rows: counts.rows + read.rows.length,
    created: counts.created + created,
    present: counts.present + present,
    failed: counts.failed + errors.length,
  };
  const state = read.done ? 'completed' : 'running';
  await files.storeReport({ id: importId, state, startedAt, ...total, bytesDone: read.offset }, errors);
  return { offset: read.offset, counts: total, done: read.done };
}
