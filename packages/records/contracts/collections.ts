import type { RecordCollection, RecordMetadata } from './common';
import { type Contaminant, contaminantFields } from './contaminants';
import { type Facility, facilityFields } from './facilities';
import { type Inspection, inspectionFields } from './inspections';
import { type Shipment, shipmentFields } from './shipments';

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
