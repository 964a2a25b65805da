import type { ImportCounts } from '../../../../src/contracts/http/imports';
import { ImportFiles } from '../../../../src/imports/import-files';
import type { Config } from '../../../../src/settings/config';
import type { BlobStore } from '../../../../src/stores/blobs/blob-store';
import { NOTHING_IMPORTED } from '../../contracts/imports';

/**
 * Creates the files of the imports of a tenant's records by the settings; all processes that share the store see the same files.
 * @throws HoldfastError `INTERNAL` if the tenant's name is malformed
 */
export function createRecordImportFiles(
  blobs: BlobStore,
  limits: Pick<Config, 'MAX_BODY_BYTES' | 'RECORDS_IMPORT_MAX_BYTES'>,
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
