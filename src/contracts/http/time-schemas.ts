import { z } from 'zod';
import { hasPlainYear, NO_PLAIN_YEAR, toUtc } from '../times';

/** A time with any offset. It is stored in UTC, so that sorting the texts sorts the times. */
export const timeSchema = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 date and time with an offset or Z' })
  // zod calls this even if the check before has failed.
  .overwrite(toUtc)
  // Texts of other years would not sort by time.
  .refine(hasPlainYear, NO_PLAIN_YEAR);

export const dateSchema = z.iso.date({ message: 'must be a date like 2026-03-31' });
