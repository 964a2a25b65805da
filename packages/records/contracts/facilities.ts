import { z } from 'zod';
import { gs1NumberSchema, nameSchema, notesSchema, recordMetadata, nonBlankText } from './common';
import { dateSchema } from '../../../src/contracts/http/time-schemas';

export const FACILITY_KINDS = [
  'farm',
  'fishery',
  'slaughterhouse',
  'processor',
  'packer',
  'cold_store',
  'warehouse',
  'port',
  'wholesaler',
  'retailer',
  'food_service',
  'laboratory',
  'other',
] as const;
export const FACILITY_STATUSES = ['active', 'suspended', 'closed'] as const;

const tonnes = z.number().positive().max(100_000_000);

/** A place where goods are kept or handled, an EPCIS "business location". */
export const facilityFields = z.strictObject({
  name: nameSchema,
  kind: z.enum(FACILITY_KINDS),
  status: z.enum(FACILITY_STATUSES).default('active'),
  gln: gs1NumberSchema(13, 'GLN').optional().describe('GS1 Global Location Number'),
  address: z.strictObject({
    street: nonBlankText(200).optional(),
    city: nonBlankText(100),
    region: nonBlankText(100).optional(),
    postalCode: nonBlankText(20).optional(),
    countryCode: z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters (ISO 3166-1 alpha-2)'),
  }),
  coordinates: z
    .strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
    .optional()
    .describe('Degrees, WGS 84'),
  licence: z
    .strictObject({
      number: nonBlankText(100),
      authority: nameSchema,
      validFrom: dateSchema.optional(),
      validUntil: dateSchema.optional(),
    })
    .refine(
      ({ validFrom, validUntil }) =>
        validFrom === undefined || validUntil === undefined || validFrom <= validUntil,
      { path: ['validUntil'], message: 'must not be before validFrom' },
    )
    .optional(),
  capacity: z
    .strictObject({
      storageTonnes: tonnes.optional(),
      coldStorageTonnes: tonnes.optional(),
      throughputTonnesPerDay: tonnes.optional(),
    })
    .optional(),
  contact: z
    .strictObject({
      name: nameSchema,
      email: z
        .email()
        .max(200)
        // RFC 5321, 4.5.3.1: mail servers accept parts up to these lengths.
        .regex(/^[^@]{1,64}@(?:[^.@]{1,63}\.)+[^.@]{1,63}$/, 'has a part that is too long')
        .optional(),
      phone: z
        .string()
        .regex(/^\+?[\d ()/.-]{3,40}$/, 'must be a telephone number')
        .optional(),
    })
    .optional(),
  notes: notesSchema.optional(),
});
export type Facility = z.infer<typeof facilityFields>;

export const facilitySchema = z.object({ ...recordMetadata, ...facilityFields.shape });
