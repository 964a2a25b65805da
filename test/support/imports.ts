import type { ImportReport } from '../../src/contracts/http/imports';
import { DEFAULT_TENANT } from '../../src/contracts/tenants';
import { createRecordImportFiles } from '../../packages/records/domain/import/create-import-files';
import type { ImportFiles } from '../../src/imports/import-files';
import type { BlobStore } from '../../src/stores/blobs/blob-store';
import { type Answer, get, request } from './http';
import { waitFor } from './wait';

const FACILITY = { kind: 'farm', address: { city: 'Aurillac', countryCode: 'FR' } };

/** The files of imports of records with these limits, bytes. */
export function importFiles(
  blobs: BlobStore,
  { maxBytes = 1_000_000, maxRowBytes = 10_000, tenant = DEFAULT_TENANT } = {},
): ImportFiles {
  const limits = { RECORDS_IMPORT_MAX_BYTES: maxBytes, MAX_BODY_BYTES: maxRowBytes };
  return createRecordImportFiles(blobs, limits, tenant);
}

/** An import's rows, one for each of this number of facilities. */
export function facilityRows(count: number, prefix = 'farm'): string[] {
  return Array.from({ length: count }, (_, n) =>
    JSON.stringify({ collection: 'facilities', id: `${prefix}-${n}`, name: `Farm ${n}`, ...FACILITY }),
  );
}

export function upload(
  url: string,
  rows: readonly string[],
  headers: Record<string, string> = {},
  query = '',
): Promise<Answer> {
  return request(`${url}/api/imports${query}`, {
    method: 'POST',
    body: `${rows.join('\n')}\n`,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  });
}

/** Waits for the report of an import until `isEnough`; by default until the import is completed. */
export async function reportOf(
  url: string,
  id: string,
  isEnough = (report: ImportReport): boolean => report.state === 'completed',
): Promise<ImportReport> {
  return waitFor(
    async () => {
      const report = (await get(`${url}/api/imports/${id}`)).body.data as ImportReport;
      return isEnough(report) && report;
    },
    { what: `import ${id}` },
  );
}
