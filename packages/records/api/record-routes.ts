import type { z } from 'zod';
import type { Config } from '../../../src/settings/config';
import { contaminantFields, contaminantSchema, detectionSchema } from '../contracts/contaminants';
import { facilityFields, facilitySchema } from '../contracts/facilities';
import { inspectionFields, inspectionSchema } from '../contracts/inspections';
import { shipmentFields, shipmentSchema, shipmentItemSchema } from '../contracts/shipments';
import type { AnyRoute } from '../../../api/http/route';
import { collectionRoutes, type RecordServices } from './collection-routes';
import { EXAMPLES } from './examples';
import { dateSchema, timeSchema } from '../../../src/contracts/http/time-schemas';
import { importReportSchema } from '../contracts/imports';
import { tracedFacilitySchema, tracedSchema, tracedShipmentSchema, traceSchema } from '../contracts/trace';

/** The schemas that the OpenAPI document of the records API has by name, as `API_SCHEMAS` are those of the main one. */
export const RECORD_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Address: facilityFields.shape.address,
  CalendarDate: dateSchema,
  Carrier: shipmentFields.shape.carrier,
  Contact: facilityFields.shape.contact,
  Contaminant: contaminantSchema,
  ContaminantLimit: contaminantFields.shape.limit,
  Detection: detectionSchema,
  Facility: facilitySchema,
  Findings: inspectionFields.shape.findings,
  Import: importReportSchema,
  Inspection: inspectionSchema,
  Inspector: inspectionFields.shape.inspector,
  Licence: facilityFields.shape.licence,
  Shipment: shipmentSchema,
  ShipmentItem: shipmentItemSchema,
  Timestamp: timeSchema,
  Trace: traceSchema,
  TracedFacility: tracedFacilitySchema,
  TracedGoods: tracedSchema,
  TracedShipment: tracedShipmentSchema,
};

export type RecordLimits = Pick<Config, 'RECORDS_MAX_RESULTS' | 'RECORDS_MAX_TRACE_SHIPMENTS'>;

/** The routes of the four collections. */
export function recordRoutes(limits: RecordLimits): AnyRoute<RecordServices>[] {
  const maxResults = limits.RECORDS_MAX_RESULTS;
  return [
    ...collectionRoutes({
      collection: 'facilities',
      fields: facilityFields,
      response: facilitySchema,
      maxResults,
      ...EXAMPLES.facilities,
    }),
    ...collectionRoutes({
      collection: 'shipments',
      fields: shipmentFields,
      response: shipmentSchema,
      maxResults,
      ...EXAMPLES.shipments,
    }),
    ...collectionRoutes({
      collection: 'contaminants',
      fields: contaminantFields,
      response: contaminantSchema,
      maxResults,
      ...EXAMPLES.contaminants,
    }),
    ...collectionRoutes({
      collection: 'inspections',
      fields: inspectionFields,
      response: inspectionSchema,
      maxResults,
      ...EXAMPLES.inspections,
    }),
  ];
}
