import type { ImportInput, ImportStep } from '../../contracts/http/records/imports';
import type { RecordStore } from '../../stores/records/record-store';
import type { ImportFiles } from './import-files';
import { importRows } from './import-rows';

/** Most rows in one step, and so in one transaction; it ends with the first row by which it has so many bytes. */
const STEP_BOUNDS = { rows: 500, bytes: 4 * 1_024 * 1_024 };

/**
 * The next rows of an import. Again with the same input it changes nothing and comes to the same. What its report says has no
 * part in it: engine and records may have been restored as they were before, with the report of a later time. An abort by
 * `signal` writes nothing more, neither records nor the report, and rejects with the signal's reason.
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
    firstLook: (lines) => files.firstLook(importId, offset, lines),
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
  await files.note({ id: importId, state, startedAt, ...total, bytesDone: read.offset }, errors);
  return { offset: read.offset, counts: total, done: read.done };
}
