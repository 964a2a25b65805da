import { type MemoryImportCounts, NO_MEMORIES_IMPORTED } from '../contracts/http/memory-imports';
import type { RunOwner } from '../contracts/runs/run-owner';
import type { Config } from '../settings/config';
import type { BlobStore } from '../stores/blobs/blob-store';
import { ImportFiles } from './import-files';

type Limits = Pick<Config, 'MAX_BODY_BYTES' | 'MEMORY_IMPORT_MAX_BYTES' | 'MEMORY_IMPORT_MAX_LINES'>;

/**
 * Creates the files of the imports of a user's memories by the settings; all processes that share the store see the same files.
 * @throws HoldfastError `INTERNAL` if the tenant's name is malformed
 */
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
