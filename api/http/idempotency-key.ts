import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import { type AnyRoute, isStreamRoute } from './route';

export const idempotencyKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'must be 1 to 128 letters, digits or any of . _ : -');

/**
 * Reads the `Idempotency-Key` of a request, for routes that start a run; other routes ignore the header. Each authenticated
 * caller has keys of its own: a run of another caller under the same key is not found by them.
 * @param prefix of the caller's keys; undefined where callers are not authenticated
 * @throws HoldfastError `VALIDATION`
 */
export function readIdempotencyKey(
  route: AnyRoute,
  header: string | undefined,
  prefix: string | undefined,
): string | undefined {
  if (isStreamRoute(route) || route.startsRun !== true || header === undefined) return undefined;
  return bindIdempotencyKey('Idempotency-Key', header, prefix);
}

/**
 * Checks an idempotency key and binds it to its caller.
 * @param field where the request has the key
 * @param prefix of the caller's keys; undefined where callers are not authenticated
 * @throws HoldfastError `VALIDATION`
 */
export function bindIdempotencyKey(field: string, key: unknown, prefix: string | undefined): string {
  const parsed = idempotencyKeySchema.safeParse(key);
  if (!parsed.success) throw validationError(field, parsed.error.issues[0]?.message ?? 'is invalid');
  return prefix === undefined ? parsed.data : `${prefix}.${parsed.data}`;
}
