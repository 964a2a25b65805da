import type { RecordCollection } from '../../src/contracts/http/records/common';
import { type ImportInput, NOTHING_IMPORTED } from '../../src/contracts/http/records/imports';
import type { RequestedImport } from '../runs/import-runs';

/** The import of records from an upload. @param collection that of all rows; absent: each row names its own */
export function importOfRecords(collection: RecordCollection | undefined): RequestedImport {
  return {
    prefix: 'import-records',
    asked: { collection: collection ?? null },
    prepare: (started) => ({
      workflowType: 'importRecords',
      input: { ...started, offset: 0, counts: NOTHING_IMPORTED, collection } satisfies ImportInput,
      subject: { area: 'records' },
      summary: `import ${collection ?? 'records'}`,
    }),
  };
}
