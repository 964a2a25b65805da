import { z } from 'zod';
import { lotSchema, nameSchema, notesSchema, recordIdSchema, recordMetadata, nonBlankText } from './common';
import { timeSchema } from '../../../src/contracts/http/time-schemas';

export const CONTAMINANT_CLASSES = [
  'microbiological',
  'chemical',
  'physical',
  'allergen',
  'radiological',
] as const;
export const CONTAMINANT_UNITS = [
  'mg/kg',
  'µg/kg',
  'ng/kg',
  'CFU/g',
  'CFU/25g',
  'detected/25g',
  'Bq/kg',
  'pieces/kg',
] as const;

/** A detection of a contaminant: where it was found, and from when on goods at that place may contain it. */
export const detectionSchema = z
  .strictObject({
    facilityId: recordIdSchema.optional(),
    shipmentId: recordIdSchema.optional(),
    lot: lotSchema.optional(),
    value: z.number().min(0).optional().describe("In the contaminant's unit"),
    detectedAt: timeSchema,
    presentSince: timeSchema
      .optional()
      .describe(
        'Earliest time at which it may have been present, such as that of the last clean sample; default detectedAt',
      ),
    method: nonBlankText(200).optional(),
  })
  .refine(
    ({ facilityId, shipmentId, lot }) =>
      facilityId !== undefined || shipmentId !== undefined || lot !== undefined,
    { path: ['facilityId'], message: 'is required unless shipmentId or lot is given' },
  )
  .refine(({ facilityId, shipmentId }) => facilityId === undefined || shipmentId === undefined, {
    path: ['shipmentId'],
    message: 'must not be given beside facilityId: make two detections of it',
  })
  .refine(({ presentSince, detectedAt }) => presentSince === undefined || presentSince <= detectedAt, {
    path: ['presentSince'],
    message: 'must not be after detectedAt',
  })
  // The first two refinements, expressed in JSON Schema.
  .meta({
    anyOf: [
      { properties: { shipmentId: false }, required: ['facilityId'] },
      { properties: { facilityId: false }, required: ['shipmentId'] },
      { properties: { facilityId: false, shipmentId: false }, required: ['lot'] },
    ],
  });

/** A substance that must not be in food, or not above a limit. */
export const contaminantFields = z.strictObject({
  name: nameSchema,
  class: z.enum(CONTAMINANT_CLASSES),
  unit: z.enum(CONTAMINANT_UNITS),
  casNumber: z
    .string()
    .regex(/^\d{2,7}-\d{2}-\d$/, 'must be a CAS number like 7439-92-1')
    .optional(),
  limit: z
    .strictObject({
      value: z.number().min(0).describe('In the unit of the contaminant'),
      source: nonBlankText(500).describe('The regulation that sets the limit'),
      jurisdiction: nonBlankText(100).optional(),
      product: nameSchema.optional().describe('The food that the limit is for; absent: any food'),
    })
    .optional(),
  detections: z.array(detectionSchema).max(1_000).default([]),
  description: notesSchema.optional(),
});
export type Contaminant = z.infer<typeof contaminantFields>;

export const contaminantSchema = z.object({ ...recordMetadata, ...contaminantFields.shape });
