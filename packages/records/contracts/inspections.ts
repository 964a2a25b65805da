import { z } from 'zod';
import { lotSchema, nameSchema, notesSchema, recordIdSchema, recordMetadata, nonBlankText } from './common';
import { dateSchema, timeSchema } from '../../../src/contracts/http/time-schemas';

export const INSPECTION_KINDS = ['routine', 'import', 'complaint', 'follow_up', 'recall', 'audit'] as const;
export const INSPECTION_RESULTS = ['pending', 'passed', 'conditional', 'failed'] as const;
export const FINDING_SEVERITIES = ['observation', 'minor', 'major', 'critical'] as const;

/** An inspection of a facility or of a shipment. */
export const inspectionFields = z
  .strictObject({
    facilityId: recordIdSchema.optional(),
    shipmentId: recordIdSchema.optional(),
    kind: z.enum(INSPECTION_KINDS).default('routine'),
    inspector: z.strictObject({ name: nameSchema, organisation: nameSchema.optional() }),
    inspectedAt: timeSchema,
    result: z.enum(INSPECTION_RESULTS),
    lots: z.array(lotSchema).max(100).optional().describe('Lots that were sampled'),
    findings: z
      .array(
        z.strictObject({
          severity: z.enum(FINDING_SEVERITIES),
          description: nonBlankText(2_000),
          correctiveAction: nonBlankText(2_000).optional(),
          dueDate: dateSchema.optional(),
          resolvedAt: timeSchema.optional(),
        }),
      )
      .max(200)
      .default([]),
    notes: notesSchema.optional(),
  })
  .refine(({ facilityId, shipmentId }) => (facilityId === undefined) !== (shipmentId === undefined), {
    path: ['facilityId'],
    message: 'is required unless shipmentId is given, and only one of them may be',
  })
  // The refinement, expressed in JSON Schema.
  .meta({ oneOf: [{ required: ['facilityId'] }, { required: ['shipmentId'] }] });
export type Inspection = z.infer<typeof inspectionFields>;

export const inspectionSchema = z.object({ ...recordMetadata, ...inspectionFields.shape });
