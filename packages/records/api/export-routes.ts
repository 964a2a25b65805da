import { z } from 'zod';
import { RECORD_COLLECTIONS, type RecordCollection } from '../contracts/common';
import { contaminantSchema } from '../contracts/contaminants';
import { facilitySchema } from '../contracts/facilities';
import { inspectionSchema } from '../contracts/inspections';
import { shipmentSchema } from '../contracts/shipments';
import { type AnyRoute, routesWith } from '../../../api/http/route';
import type { RecordServices } from './collection-routes';
import { createFilterQuery } from './list-query';
import { NDJSON, ndjson } from '../../../api/http/send-stream';
import { exportEndSchema } from '../contracts/imports';

const { defineStreamRoute } = routesWith<RecordServices>();

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
export function recordExportRoutes(): AnyRoute<RecordServices>[] {
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
      handler: (_input, { services, signal }) => ({
        mediaType: NDJSON,
        fileName: 'records.ndjson',
        chunks: ndjson(services.records.exportRecords(RECORD_COLLECTIONS, [], signal())),
      }),
    }),
    ...RECORD_COLLECTIONS.map(collectionExport),
  ];
}

function collectionExport(collection: RecordCollection): AnyRoute<RecordServices> {
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
    handler: ({ query }, { services, signal }) => ({
      mediaType: NDJSON,
      fileName: `${collection}.ndjson`,
      chunks: ndjson(services.records.exportRecords([collection], filters.read(query), signal())),
    }),
  });
}
