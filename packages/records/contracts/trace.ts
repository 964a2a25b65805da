import { z } from 'zod';
import { FACILITY_KINDS } from './facilities';
import { lotSchema, recordIdSchema } from './common';
import { timeSchema } from '../../../src/contracts/http/time-schemas';
import { SHIPMENT_STATUSES } from './shipments';

export const TRACE_DIRECTIONS = ['downstream', 'upstream', 'both'] as const;
export type TraceDirection = (typeof TRACE_DIRECTIONS)[number];

const path = z
  .array(recordIdSchema)
  .describe(
    'The shipments between the start and this entry, in the order of time; each is also in the result',
  );
const lots = z.array(lotSchema).describe('The affected lots');
const hops = z
  .number()
  .int()
  .min(0)
  .describe('Number of shipments between the start and this entry; a shipment counts itself');

export const tracedShipmentSchema = z.object({
  id: recordIdSchema,
  reference: z.string().optional(),
  status: z.enum(SHIPMENT_STATUSES),
  hops,
  originFacilityId: recordIdSchema,
  destinationFacilityId: recordIdSchema,
  departureAt: timeSchema.describe('The planned time until the shipment has left'),
  arrivalAt: timeSchema
    .nullable()
    .describe('The planned time until the shipment has arrived; null: it will not arrive'),
  lots,
  unknownLots: z.boolean().describe('Whether goods without a lot are affected'),
  path,
});
export type TracedShipment = z.infer<typeof tracedShipmentSchema>;

export const tracedFacilitySchema = z.object({
  id: recordIdSchema,
  name: z.string(),
  kind: z.enum(FACILITY_KINDS),
  hops,
  at: timeSchema.describe(
    'By any path. Downstream: from when on the facility may have the goods; upstream: until when it had them',
  ),
  lots,
  unknownLots: z.boolean().describe('Whether all goods there are affected, or some without a lot'),
  path,
  pathAt: timeSchema.describe('As `at`, by the shipments of `path` alone; a path of more hops may be faster'),
});
export type TracedFacility = z.infer<typeof tracedFacilitySchema>;

export const tracedSchema = z.object({
  shipments: z.array(tracedShipmentSchema),
  facilities: z.array(tracedFacilitySchema),
  truncated: z.boolean().describe('Whether entries were left out because of `limit` or `maxHops`'),
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
