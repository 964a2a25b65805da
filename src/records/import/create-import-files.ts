import type { Config } from '../../settings/config';
import type { BlobStore } from '../../stores/blobs/blob-store';
import { ImportFiles } from './import-files';

/**
 * Creates the files of a tenant's imports by the settings; all processes that share the store see the same files.
 * @throws HoldfastError `INTERNAL` where the tenant's name is malformed
 */
export function createImportFiles(
  blobs: BlobStore,
  { RECORDS_IMPORT_MAX_BYTES, MAX_BODY_BYTES }: Pick<Config, 'RECORDS_IMPORT_MAX_BYTES' | 'MAX_BODY_BYTES'>,
  tenant: string,
): ImportFiles {
  return new ImportFiles({ blobs, tenant, maxBytes: RECORDS_IMPORT_MAX_BYTES, maxRowBytes: MAX_BODY_BYTES });
}
