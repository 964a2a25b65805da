import type { z } from 'zod';
import { dateSchema, timeSchema } from '../../src/contracts/http/records/common';
import {
  contaminantFields,
  contaminantSchema,
  detectionSchema,
} from '../../src/contracts/http/records/contaminants';
import { facilityFields, facilitySchema } from '../../src/contracts/http/records/facilities';
import { importReportSchema } from '../../src/contracts/http/records/imports';
import { inspectionFields, inspectionSchema } from '../../src/contracts/http/records/inspections';
import {
  shipmentFields,
  shipmentItemSchema,
  shipmentSchema,
} from '../../src/contracts/http/records/shipments';
import {
  tracedFacilitySchema,
  tracedSchema,
  tracedShipmentSchema,
  traceSchema,
} from '../../src/contracts/http/records/trace';

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
