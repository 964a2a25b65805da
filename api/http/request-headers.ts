import { createHash } from 'node:crypto';
import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import { type AnyRoute, isStreamRoute } from './route';

const MAX_WAIT_S = 3_600;

const ENTITY_TAG = '(W/)?"[!#-~]*"';
/**
 * Matches `*`, or entity tags separated by commas (RFC 9110, 8.8.3 and 13.1), in ASCII as the service's own tags are. A
 * tag may contain commas itself.
 */
export const ENTITY_TAGS_PATTERN = `^(\\*|${ENTITY_TAG}([ \\t]*,[ \\t]*${ENTITY_TAG})*)$`;
const ENTITY_TAGS = new RegExp(ENTITY_TAGS_PATTERN);
const EACH_TAG = new RegExp(ENTITY_TAG, 'g');

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

/**
 * Parses the entity tags of a header, or `*`; undefined if the header is absent.
 * @throws HoldfastError `VALIDATION`
 */
export function readEntityTags(name: string, header: string | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined;
  if (header === '*') return ['*'];
  if (!ENTITY_TAGS.test(header)) {
    throw validationError(name, 'must be * or entity tags in quotes, as an ETag header has them');
  }
  return header.match(EACH_TAG) ?? [];
}

/**
 * Whether the caller has the version of `tag` already. The comparison is weak, as RFC 9110 requires it for
 * `If-None-Match`.
 */
export function isKnown(tag: string, ifNoneMatch: string | undefined): boolean {
  const tags = readEntityTags('If-None-Match', ifNoneMatch) ?? [];
  return tags.some((known) => known === '*' || known.replace(/^W\//, '') === tag);
}

/** What a request prefers that starts a run (RFC 7240). */
interface Preference {
  /** How long the response may wait for the run, milliseconds. */
  readonly waitMs: number;
  /** The value of `Preference-Applied`. */
  readonly applied: string;
}

/** Whether requests of a route may prefer a response before their run has ended. */
export function mayRespondEarly(route: AnyRoute): boolean {
  return !isStreamRoute(route) && route.startsRun === true && route.streamedBody === undefined;
}

/**
 * Reads the `Prefer` header: `respond-async` does not wait for the run, `wait=N` waits for N seconds at most, and both together
 * do the same as `wait=N`. Other preferences, and values that are not valid, count as absent, as RFC 7240 requires.
 */
export function readPreference(route: AnyRoute, header: string | undefined): Preference | undefined {
  if (header === undefined || !mayRespondEarly(route)) return undefined;
  const preferences = header.split(',').map((each) => each.split(';')[0]?.trim().toLowerCase() ?? '');
  const seconds = preferences
    .map((each) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(each)?.[1])
    .find((each) => each !== undefined);
  const isAsync = preferences.includes('respond-async');
  if (seconds === undefined) return isAsync ? { waitMs: 0, applied: 'respond-async' } : undefined;
  const applied = `${isAsync ? 'respond-async, ' : ''}wait=${seconds}`;
  return { waitMs: Math.min(Number(seconds), MAX_WAIT_S) * 1_000, applied };
}
