import type { Config } from '../../settings/config';
import type { BlobStore } from '../../stores/blobs/blob-store';
import { ImportFiles } from './import-files';

/** Creates the files of imports by the settings; all processes that share the store see the same files. */
export function createImportFiles(
  blobs: BlobStore,
  { RECORDS_IMPORT_MAX_BYTES, MAX_BODY_BYTES }: Pick<Config, 'RECORDS_IMPORT_MAX_BYTES' | 'MAX_BODY_BYTES'>,
): ImportFiles {
  return new ImportFiles({ blobs, maxBytes: RECORDS_IMPORT_MAX_BYTES, maxRowBytes: MAX_BODY_BYTES });
}
