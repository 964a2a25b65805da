import { z } from 'zod';
import { FACILITY_KINDS } from './facilities';
import { lotSchema, recordIdSchema, timeSchema } from './common';
import { SHIPMENT_STATUSES } from './shipments';

export const TRACE_DIRECTIONS = ['downstream', 'upstream', 'both'] as const;
export type TraceDirection = (typeof TRACE_DIRECTIONS)[number];

const path = z
  .array(recordIdSchema)
  .describe('The shipments between it and the start, in the order of time; each is in the result too');
const lots = z.array(lotSchema).describe('The lots concerned');
const hops = z
  .number()
  .int()
  .min(0)
  .describe('Shipments between it and the start, a shipment itself included');

const tracedShipmentSchema = z.object({
  id: recordIdSchema,
  reference: z.string().optional(),
  status: z.enum(SHIPMENT_STATUSES),
  hops,
  originFacilityId: recordIdSchema,
  destinationFacilityId: recordIdSchema,
  departureAt: timeSchema.describe('Planned, until it has left'),
  arrivalAt: timeSchema.nullable().describe('Planned, until it is there; null: it does not get there'),
  lots,
  unknownLots: z.boolean().describe('Whether goods without a lot are concerned'),
  path,
});
export type TracedShipment = z.infer<typeof tracedShipmentSchema>;

const tracedFacilitySchema = z.object({
  id: recordIdSchema,
  name: z.string(),
  kind: z.enum(FACILITY_KINDS),
  hops,
  at: timeSchema.describe(
    'By any way. Downstream: from when on it may have the goods; upstream: until when it had them',
  ),
  lots,
  unknownLots: z.boolean().describe('Whether all goods there are concerned, or some without a lot'),
  path,
  pathAt: timeSchema.describe(
    'As `at`, by the shipments of `path` alone: a way of more hops may be the quicker one',
  ),
});
export type TracedFacility = z.infer<typeof tracedFacilitySchema>;

const tracedSchema = z.object({
  shipments: z.array(tracedShipmentSchema),
  facilities: z.array(tracedFacilitySchema),
  truncated: z.boolean().describe('Whether there is more than `limit` and `maxHops` let in'),
});
export type Traced = z.infer<typeof tracedSchema>;

export const traceSchema = z.object({
  start: z.object({
    contaminantId: recordIdSchema.optional(),
    shipmentId: recordIdSchema.optional(),
    facilityId: recordIdSchema.optional(),
    lot: lotSchema.optional(),
  }),
  downstream: tracedSchema.optional().describe('What may be affected'),
  upstream: tracedSchema.optional().describe('Where it may have come from'),
});
export type Trace = z.infer<typeof traceSchema>;
