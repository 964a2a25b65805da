import { createHash } from 'node:crypto';
import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import { type AnyRoute, isStreamRoute } from './route';

/** A string of RFC 8941 without spaces, or the same characters without quotes. */
const KEY = /^(?:"(?:[!#-[\]-~]|\\["\\]){1,255}"|[!#-~][!-~]{0,254})$/;
/** Keys that are part of the workflow id as they are, so that runs of earlier builds are found. */
const PLAIN = /^[A-Za-z0-9._:-]{1,128}$/;

export const idempotencyKeySchema = z
  .string()
  .regex(KEY, 'must be 1 to 255 visible characters, in double quotes or without');

/**
 * Reads the `Idempotency-Key` of a request, for routes that start a run; other routes ignore the header. Each authenticated
 * caller has keys of its own: a run of another caller under the same key is not found by them.
 * @param prefix of the caller's keys; undefined if callers are not authenticated
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
 * Checks an idempotency key and binds it to its caller. A key in quotes is the same as without them.
 * @param field where the request has the key
 * @param prefix of the caller's keys; undefined if callers are not authenticated
 * @returns letters, digits and `. _ : -`, up to 129 besides the prefix
 * @throws HoldfastError `VALIDATION`
 */
export function bindIdempotencyKey(field: string, key: unknown, prefix: string | undefined): string {
  const parsed = idempotencyKeySchema.safeParse(key);
  if (!parsed.success) throw validationError(field, parsed.error.issues[0]?.message ?? 'is invalid');
  const plain = toPlainKey(withoutQuotes(parsed.data));
  return prefix === undefined ? plain : `${prefix}.${plain}`;
}

function withoutQuotes(key: string): string {
  return key.startsWith('"') ? key.slice(1, -1).replaceAll(/\\(.)/g, '$1') : key;
}

/** A digest of 129 characters, one more than a plain key may have, so that no plain key can be equal to it. */
function toPlainKey(key: string): string {
  return PLAIN.test(key) ? key : `:${createHash('sha512').update(key).digest('hex')}`;
}
