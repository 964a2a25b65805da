import { z } from 'zod';
import { RECORD_COLLECTIONS, type RecordCollection } from '../../src/contracts/http/records/common';
import { contaminantSchema } from '../../src/contracts/http/records/contaminants';
import { exportEndSchema } from '../../src/contracts/http/records/exports';
import { facilitySchema } from '../../src/contracts/http/records/facilities';
import { inspectionSchema } from '../../src/contracts/http/records/inspections';
import { shipmentSchema } from '../../src/contracts/http/records/shipments';
import type { RecordExport } from '../../src/records/export';
import { NDJSON, ndjson } from '../http/ndjson';
import { type AnyRoute, defineStreamRoute } from '../http/route';
import { createFilterQuery } from './list-query';

const TAG = 'Exports';
const DESCRIPTION =
  'The oldest records come first, in the form of an import. An export without the last line, `{ end, count }`, is incomplete.';

const LINES = {
  facilities: z.object({ collection: z.literal('facilities'), ...facilitySchema.shape }),
  shipments: z.object({ collection: z.literal('shipments'), ...shipmentSchema.shape }),
  contaminants: z.object({ collection: z.literal('contaminants'), ...contaminantSchema.shape }),
  inspections: z.object({ collection: z.literal('inspections'), ...inspectionSchema.shape }),
} as const;

/**
 * The routes that export records. Their paths are not below those of collections, because there they would hide a
 * record of the same id.
 */
export function recordExportRoutes(exportRecords: RecordExport): AnyRoute[] {
  return [
    defineStreamRoute({
      method: 'get',
      path: '/api/exports',
      operationId: 'exportRecords',
      access: 'records',
      tag: TAG,
      summary: 'All records, one per line',
      description: `Each collection comes after those that its records refer to. ${DESCRIPTION}`,
      request: { query: z.strictObject({}) },
      streams: { [NDJSON]: z.union([...RECORD_COLLECTIONS.map((name) => LINES[name]), exportEndSchema]) },
      handler: (_input, context) => ({
        mediaType: NDJSON,
        fileName: 'records.ndjson',
        chunks: ndjson(exportRecords(RECORD_COLLECTIONS, [], context.signal())),
      }),
    }),
    ...RECORD_COLLECTIONS.map((collection) => collectionExport(collection, exportRecords)),
  ];
}

function collectionExport(collection: RecordCollection, exportRecords: RecordExport): AnyRoute {
  const filters = createFilterQuery(collection);
  return defineStreamRoute({
    method: 'get',
    path: `/api/exports/${collection}`,
    operationId: `export${collection.charAt(0).toUpperCase()}${collection.slice(1)}`,
    access: 'records',
    tag: TAG,
    summary: `All ${collection} that match the filters, one per line`,
    description: DESCRIPTION,
    request: { query: filters.schema },
    streams: { [NDJSON]: z.union([LINES[collection], exportEndSchema]) },
    handler: ({ query }, context) => ({
      mediaType: NDJSON,
      fileName: `${collection}.ndjson`,
      chunks: ndjson(exportRecords([collection], filters.read(query), context.signal())),
    }),
  });
}
