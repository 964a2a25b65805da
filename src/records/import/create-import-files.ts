import { join } from 'node:path';
import type { Config } from '../../config';
import { ImportFiles } from './import-files';

/** Imports of the settings; all processes that share DATA_DIR see the same. */
export function createImportFiles({
  DATA_DIR,
  RECORDS_IMPORT_MAX_BYTES,
  MAX_BODY_BYTES,
}: Pick<Config, 'DATA_DIR' | 'RECORDS_IMPORT_MAX_BYTES' | 'MAX_BODY_BYTES'>): ImportFiles {
  return new ImportFiles({
    folder: join(DATA_DIR, 'imports'),
    maxBytes: RECORDS_IMPORT_MAX_BYTES,
    maxRowBytes: MAX_BODY_BYTES,
  });
}
