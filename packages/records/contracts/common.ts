import { z } from 'zod';
import { isWellFormed } from '../../../src/base/text/well-formed';
import { NOT_WELL_FORMED } from '../../../src/contracts/tenants';
import { NOT_BLANK } from '../../../src/contracts/constants';
import { timeSchema } from '../../../src/contracts/http/time-schemas';

/** The collections of the record-keeping API, by their names in paths. */
export const RECORD_COLLECTIONS = ['facilities', 'shipments', 'contaminants', 'inspections'] as const;
export type RecordCollection = (typeof RECORD_COLLECTIONS)[number];

/** The name of a single record of each collection. */
export const RECORD_NAMES: Readonly<Record<RecordCollection, string>> = {
  facilities: 'facility',
  shipments: 'shipment',
  contaminants: 'contaminant',
  inspections: 'inspection',
};

/** An id that a caller chose, or a ULID. */
export const recordIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits or any of . _ -');

/**
 * A text of up to `max` characters that is not blank and has neither control characters nor half a surrogate pair, which the
 * stores replace, so that two texts would become one.
 */
export function nonBlankText(max: number): z.ZodString {
  return z
    .string()
    .max(max, `must have at most ${max} characters`)
    .regex(NOT_BLANK, 'must not be empty')
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, 'must have no control characters')
    .refine(isWellFormed, NOT_WELL_FORMED);
}

export const nameSchema = nonBlankText(200);
export const notesSchema = nonBlankText(4_000);
/** A batch or lot number (GS1 application identifier 10), which may be longer than GS1 allows. */
export const lotSchema = nonBlankText(100);

/** A number whose last digit is the GS1 check digit: weights 3 and 1, from the right. */
export function gs1NumberSchema(length: number, name: string): z.ZodString {
  return z
    .string()
    .regex(new RegExp(`^\\d{${length}}$`), `must be a ${name} of ${length} digits`)
    .refine(hasCheckDigit, `must end in the check digit of a ${name}`);
}

function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      return total + Number(digit) * (place % 2 === 1 ? 3 : 1);
    }, 0);
  return sum % 10 === 0;
}

/** What the service adds to the fields of every record. */
export const recordMetadata = {
  id: recordIdSchema,
  version: z.number().int().min(1).describe('Increases with every change; also the ETag'),
  createdAt: timeSchema,
  updatedAt: timeSchema,
};

export interface RecordMetadata {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}
