import { z } from 'zod';
import {
  gs1NumberSchema,
  lotSchema,
  nameSchema,
  notesSchema,
  recordIdSchema,
  recordMetadata,
  nonBlankText,
} from './common';
import { dateSchema, timeSchema } from '../../../src/contracts/http/time-schemas';

/**
 * The statuses that may follow each; a status may also stay as it is. Goods that have left never become `UNSHIPPED`
 * again.
 */
export const SHIPMENT_TRANSITIONS = {
  planned: ['in_transit', 'held', 'cancelled'],
  in_transit: ['delivered', 'held', 'rejected'],
  held: ['planned', 'in_transit', 'delivered', 'rejected', 'recalled', 'cancelled'],
  delivered: ['recalled'],
  rejected: [],
  recalled: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type ShipmentStatus = keyof typeof SHIPMENT_TRANSITIONS;
export const SHIPMENT_STATUSES = Object.keys(SHIPMENT_TRANSITIONS) as [ShipmentStatus, ...ShipmentStatus[]];

/** The statuses of goods that have left. */
const LEFT: ReadonlySet<ShipmentStatus> = new Set(['in_transit', 'delivered', 'rejected']);

/**
 * The statuses of goods that have not left. Goods that have left stay part of every product recall, so they cannot
 * become these.
 */
const UNSHIPPED: ReadonlySet<ShipmentStatus> = new Set(['planned', 'cancelled']);

/** The statuses that a shipment may change to. */
export function statusesAfter({
  status,
  departedAt,
}: Pick<Shipment, 'status' | 'departedAt'>): ShipmentStatus[] {
  const allowed: readonly ShipmentStatus[] = SHIPMENT_TRANSITIONS[status];
  return allowed.filter((next) => departedAt === undefined || !UNSHIPPED.has(next));
}

/** The statuses that goods may have before and after they left. */
const ANY_TIME = SHIPMENT_STATUSES.filter((status) => !LEFT.has(status) && !UNSHIPPED.has(status));

/** The rules of `shipmentFields` about present and absent times, expressed in JSON Schema. */
const TIMES_BY_STATUS = [
  {
    properties: { status: { enum: [...UNSHIPPED] }, departedAt: false, arrivedAt: false },
    required: ['plannedDepartureAt'],
  },
  {
    properties: { status: { enum: ANY_TIME }, departedAt: false, arrivedAt: false },
    required: ['status', 'plannedDepartureAt'],
  },
  {
    properties: {
      status: { enum: [...ANY_TIME, ...[...LEFT].filter((status) => status !== 'delivered')] },
    },
    required: ['status', 'departedAt'],
  },
  { properties: { status: { const: 'delivered' } }, required: ['status', 'departedAt', 'arrivedAt'] },
];

const celsius = z.number().min(-273.15).max(1_000);

export const shipmentItemSchema = z.strictObject({
  product: nameSchema,
  gtin: gs1NumberSchema(14, 'GTIN').optional().describe('GS1 Global Trade Item Number, 14 digits'),
  lot: lotSchema.optional(),
  sourceLots: z
    .array(lotSchema)
    .max(100)
    .optional()
    .describe('The lots that this lot was made from, if it was processed (an EPCIS transformation)'),
  quantityKilograms: z.number().positive().max(1_000_000_000),
  packageCount: z.number().int().positive().optional(),
  bestBefore: dateSchema.optional(),
});
/** A shipment of goods from one facility to another. */
export const shipmentFields = z
  .strictObject({
    reference: nonBlankText(100).optional().describe('Number of the consignment or of the order'),
    sscc: gs1NumberSchema(18, 'SSCC').optional().describe('GS1 Serial Shipping Container Code'),
    originFacilityId: recordIdSchema,
    destinationFacilityId: recordIdSchema,
    status: z.enum(SHIPMENT_STATUSES).default('planned'),
    contents: z.array(shipmentItemSchema).min(1).max(100),
    carrier: z
      .strictObject({
        name: nameSchema,
        vehicle: nonBlankText(100).optional(),
        trackingNumber: nonBlankText(100).optional(),
      })
      .optional(),
    plannedDepartureAt: timeSchema.optional(),
    plannedArrivalAt: timeSchema.optional(),
    departedAt: timeSchema.optional(),
    arrivedAt: timeSchema.optional(),
    temperatureLimitsCelsius: z
      .strictObject({ min: celsius.optional(), max: celsius.optional() })
      .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
        path: ['max'],
        message: 'must not be below min',
      })
      .optional(),
    temperatureLog: z
      .array(z.strictObject({ recordedAt: timeSchema, celsius }))
      .max(1_000)
      .optional(),
    notes: notesSchema.optional(),
  })
  .superRefine((shipment, context) => {
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message });
    const { status, departedAt, arrivedAt, plannedDepartureAt, plannedArrivalAt } = shipment;
    if (shipment.originFacilityId === shipment.destinationFacilityId)
      refuse('destinationFacilityId', 'must be another facility than the origin');
    if (departedAt === undefined && plannedDepartureAt === undefined)
      refuse('plannedDepartureAt', 'is required unless departedAt is given');
    if (LEFT.has(status) && departedAt === undefined)
      refuse('departedAt', `is required of a shipment that is ${status}`);
    if (UNSHIPPED.has(status) && departedAt !== undefined)
      refuse('status', `must not be ${status} if departedAt is given`);
    if (status === 'delivered' && arrivedAt === undefined)
      refuse('arrivedAt', 'is required of a shipment that is delivered');
    if (arrivedAt !== undefined && departedAt === undefined)
      refuse('departedAt', 'is required if arrivedAt is given');
    if (isBefore(arrivedAt, departedAt)) refuse('arrivedAt', 'must not be before departedAt');
    if (isBefore(plannedArrivalAt, plannedDepartureAt))
      refuse('plannedArrivalAt', 'must not be before plannedDepartureAt');
  })
  .meta({ anyOf: TIMES_BY_STATUS });
export type Shipment = z.infer<typeof shipmentFields>;

/** Compares times in UTC, whose texts sort by time. */
function isBefore(later: string | undefined, earlier: string | undefined): boolean {
  return later !== undefined && earlier !== undefined && later < earlier;
}

export const shipmentSchema = z.object({ ...recordMetadata, ...shipmentFields.shape });
