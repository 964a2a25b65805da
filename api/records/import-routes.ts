import { z } from 'zod';
import type { ImportCounts } from '../../src/contracts/http/imports';
import { importReportSchema, importTargetSchema } from '../../src/contracts/http/records/imports';
import { validationError } from '../../src/base/errors';
import { type AnyRoute, defineRoute } from '../http/route';
import { EXAMPLES } from './examples';
import type { ImportRuns } from '../runs/import-runs';
import { importOfRecords } from './import-runs';

const TAG = 'Imports';

/** The routes that import many records at once. */
export function recordImportRoutes(imports: ImportRuns<ImportCounts>): AnyRoute[] {
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
        return imports.start(bodyStream, importOfRecords(query.collection), context);
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
      handler: ({ params: { id } }) => imports.report(id),
    }),
  ];
}
