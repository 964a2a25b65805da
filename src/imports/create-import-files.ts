import type { ImportCounts } from '../contracts/http/imports';
import { type MemoryImportCounts, NO_MEMORIES_IMPORTED } from '../contracts/http/memory-imports';
import { NOTHING_IMPORTED } from '../contracts/http/records/imports';
import type { RunOwner } from '../contracts/runs/run-owner';
import type { Config } from '../settings/config';
import type { BlobStore } from '../stores/blobs/blob-store';
import { ImportFiles } from './import-files';

type Limits = Pick<
  Config,
  'MAX_BODY_BYTES' | 'RECORDS_IMPORT_MAX_BYTES' | 'MEMORY_IMPORT_MAX_BYTES' | 'MEMORY_IMPORT_MAX_LINES'
>;

/**
 * Creates the files of the imports of a tenant's records by the settings; all processes that share the store see the same files.
 * @throws HoldfastError `INTERNAL` if the tenant's name is malformed
 */
export function createRecordImportFiles(
  blobs: BlobStore,
  limits: Limits,
  tenant: string,
): ImportFiles<ImportCounts> {
  return new ImportFiles({
    blobs,
    owner: { tenant },
    maxBytes: [limits.RECORDS_IMPORT_MAX_BYTES, 'RECORDS_IMPORT_MAX_BYTES'],
    maxRowBytes: [limits.MAX_BODY_BYTES, 'MAX_BODY_BYTES'],
    nothing: NOTHING_IMPORTED,
  });
}

/** Creates the files of the imports of memories of a user, as `createRecordImportFiles` those of records. */
export function createMemoryImportFiles(
  blobs: BlobStore,
  limits: Limits,
  owner: Required<RunOwner>,
): ImportFiles<MemoryImportCounts> {
  return new ImportFiles({
    blobs,
    owner,
    maxBytes: [limits.MEMORY_IMPORT_MAX_BYTES, 'MEMORY_IMPORT_MAX_BYTES'],
    maxRowBytes: [limits.MAX_BODY_BYTES, 'MAX_BODY_BYTES'],
    maxRows: [limits.MEMORY_IMPORT_MAX_LINES, 'MEMORY_IMPORT_MAX_LINES'],
    nothing: NO_MEMORIES_IMPORTED,
    errorsIn: ({ failed, unrelated }) => failed + unrelated,
  });
}
