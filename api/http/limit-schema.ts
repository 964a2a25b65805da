import { z } from 'zod';

/** Builds the schema of a whole number from 1 to the value of a setting, which the message of the maximum names. */
export function limitSchema(max: number, setting: string) {
  return z.number().int().min(1).max(max, `must be at most ${max} (${setting})`);
}

/** Builds that of a number in a query, which is text. */
export function queryLimitSchema(max: number, setting: string) {
  return z.coerce.number().int().min(1).max(max, `must be at most ${max} (${setting})`);
}
