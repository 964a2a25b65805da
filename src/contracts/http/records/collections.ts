import type { RecordCollection, RecordMetadata } from './common';
import type { Contaminant } from './contaminants';
import { contaminantFields } from './contaminants';
import type { Facility } from './facilities';
import { facilityFields } from './facilities';
import type { Inspection } from './inspections';
import { inspectionFields } from './inspections';
import type { Shipment } from './shipments';
import { shipmentFields } from './shipments';

/** The fields that callers give, by collection. */
export interface RecordFields {
  facilities: Facility;
  shipments: Shipment;
  contaminants: Contaminant;
  inspections: Inspection;
}

/** A record as callers see it. */
export type RecordOf<C extends RecordCollection> = RecordFields[C] & RecordMetadata;

export const RECORD_FIELDS = {
  facilities: facilityFields,
  shipments: shipmentFields,
  contaminants: contaminantFields,
  inspections: inspectionFields,
} as const;
