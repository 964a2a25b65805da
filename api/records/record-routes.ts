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

/** The four collections. */
export function recordRoutes(service: RecordsService, limits: RecordLimits): AnyRoute[] {
  const mostResults = limits.RECORDS_MAX_RESULTS;
  return [
    ...collectionRoutes({
      collection: 'facilities',
      records: service.facilities,
      fields: facilityFields,
      response: facilitySchema,
      mostResults,
      ...EXAMPLES.facilities,
    }),
    ...collectionRoutes({
      collection: 'shipments',
      records: service.shipments,
      fields: shipmentFields,
      response: shipmentSchema,
      mostResults,
      ...EXAMPLES.shipments,
    }),
    ...collectionRoutes({
      collection: 'contaminants',
      records: service.contaminants,
      fields: contaminantFields,
      response: contaminantSchema,
      mostResults,
      ...EXAMPLES.contaminants,
    }),
    ...collectionRoutes({
      collection: 'inspections',
      records: service.inspections,
      fields: inspectionFields,
      response: inspectionSchema,
      mostResults,
      ...EXAMPLES.inspections,
    }),
  ];
}
