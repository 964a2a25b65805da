import type { Config } from '../../src/settings/config';
import { contaminantFields, contaminantSchema } from '../../src/contracts/http/records/contaminants';
import { facilityFields, facilitySchema } from '../../src/contracts/http/records/facilities';
import { inspectionFields, inspectionSchema } from '../../src/contracts/http/records/inspections';
import { shipmentFields, shipmentSchema } from '../../src/contracts/http/records/shipments';
import type { RecordsService } from '../../src/records/create-records-service';
import type { AnyRoute } from '../http/route';
import { collectionRoutes } from './collection-routes';
import { EXAMPLES } from './examples';

export type RecordLimits = Pick<Config, 'RECORDS_MAX_RESULTS' | 'RECORDS_MAX_TRACE_SHIPMENTS'>;

/** The routes of the four collections. */
export function recordRoutes(service: RecordsService, limits: RecordLimits): AnyRoute[] {
  const maxResults = limits.RECORDS_MAX_RESULTS;
  return [
    ...collectionRoutes({
      collection: 'facilities',
      records: service.facilities,
      fields: facilityFields,
      response: facilitySchema,
      maxResults,
      ...EXAMPLES.facilities,
    }),
    ...collectionRoutes({
      collection: 'shipments',
      records: service.shipments,
      fields: shipmentFields,
      response: shipmentSchema,
      maxResults,
      ...EXAMPLES.shipments,
    }),
    ...collectionRoutes({
      collection: 'contaminants',
      records: service.contaminants,
      fields: contaminantFields,
      response: contaminantSchema,
      maxResults,
      ...EXAMPLES.contaminants,
    }),
    ...collectionRoutes({
      collection: 'inspections',
      records: service.inspections,
      fields: inspectionFields,
      response: inspectionSchema,
      maxResults,
      ...EXAMPLES.inspections,
    }),
  ];
}
