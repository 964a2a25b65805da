import { z } from 'zod';
import {
  lotSchema,
  nameSchema,
  notesSchema,
  recordIdSchema,
  recordMetadata,
  timeSchema,
  words,
} from './common';

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

/** Where it was found, and from when on what is there may have it. */
export const detectionSchema = z
  .strictObject({
    facilityId: recordIdSchema.optional(),
    shipmentId: recordIdSchema.optional(),
    lot: lotSchema.optional(),
    value: z.number().min(0).optional().describe("In the contaminant's unit"),
    detectedAt: timeSchema,
    presentSince: timeSchema
      .optional()
      .describe('When it may have come to the facility, as the last clean sample; default detectedAt'),
    method: words(200).optional(),
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
  // The first two refinements, as JSON Schema has them.
  .meta({
    anyOf: [
      { properties: { shipmentId: false }, required: ['facilityId'] },
      { properties: { facilityId: false }, required: ['shipmentId'] },
      { properties: { facilityId: false, shipmentId: false }, required: ['lot'] },
    ],
  });
export type Detection = z.infer<typeof detectionSchema>;

/** What must not be in food, or not in such an amount. */
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
      source: words(500).describe('The regulation it comes from'),
      jurisdiction: words(100).optional(),
      product: nameSchema.optional().describe('Of which food; absent: of any'),
    })
    .optional(),
  detections: z.array(detectionSchema).max(1_000).default([]),
  description: notesSchema.optional(),
});
export type Contaminant = z.infer<typeof contaminantFields>;

export const contaminantSchema = z.object({ ...recordMetadata, ...contaminantFields.shape });
