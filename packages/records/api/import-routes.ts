import { z } from 'zod';
import type { ImportCounts } from '../../../src/contracts/http/imports';
import {
  importReportSchema,
  importTargetSchema,
  type ImportInput,
  NOTHING_IMPORTED,
} from '../contracts/imports';
import { validationError } from '../../../src/base/errors';
import { type AnyRoute, routesWith } from '../../../api/http/route';
import { EXAMPLES } from './examples';
import type { ImportRuns, RequestedImport } from '../../../api/runs/import-runs';
import type { RecordCollection } from '../contracts/common';

/** What the routes of imports need of the caller's tenant. */
export interface RecordImportServices {
  readonly imports: ImportRuns<ImportCounts>;
}

const { defineRoute } = routesWith<RecordImportServices>();

const TAG = 'Imports';

/** The routes that import many records at once. */
export function recordImportRoutes(): AnyRoute<RecordImportServices>[] {
  return [
    defineRoute({
      method: 'post',
      path: '/api/imports',
      operationId: 'importRecords',
      access: 'records',
      tag: TAG,
      summary: 'Import records, one JSON object per line',
      description:
        'The response is sent when the run that creates the records is started; the address in `Location` reports its ' +
        'progress and the rows that could not be created. A row names its `collection`, unless the query string names one ' +
        'for all. A repeated request with the same `Idempotency-Key` gets the first import.',
      status: 201,
      message: 'Import started successfully',
      startsRun: true,
      streamedBody: 'application/x-ndjson',
      request: { query: z.strictObject({ collection: importTargetSchema.optional() }) },
      response: importReportSchema,
      example: { body: EXAMPLES.rows },
      location: ({ id }) => `/api/imports/${id}`,
      handler: ({ query }, context) => {
        const { bodyStream } = context;
        if (bodyStream === undefined) throw validationError('body', 'body is required');
        return context.services.imports.start(bodyStream, importOfRecords(query.collection), context);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/imports/:id',
      operationId: 'getImport',
      access: 'records',
      tag: TAG,
      summary: 'Progress of an import, and the rows that could not be created',
      message: ({ rows, state }) => `${rows} rows, ${state}`,
      request: { params: z.object({ id: z.string().min(1).max(200) }) },
      response: importReportSchema,
      handler: ({ params: { id } }, { services }) => services.imports.report(id),
    }),
  ];
}

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
