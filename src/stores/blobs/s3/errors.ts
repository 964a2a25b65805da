import { describeFailure } from '../../../egress/failures';
import { codeOf, HoldfastError, isHoldfastError, messageOf } from '../../../base/errors';
import { hideKeys } from '../../../secrets/hide-keys';
import type { S3Settings } from './settings';
import { isTemporary } from '../../../base/http/retry-after';
import { blobsUnavailable } from '../keys';

const NOT_FOUND = 404;
const NO_SUCH_RANGE = 416;
const FORBIDDEN = new Set([401, 403]);
/** The SDK's names of errors for a connection that was not made in time. */
const TIMEOUTS = new Set(['AbortError', 'TimeoutError']);

/** Names of errors with which a server, or the SDK before a request, refuses a setting. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['NoSuchBucket', 'there is no such bucket: check S3_BUCKET'],
  ['InvalidBucketName', 'a bucket cannot have such a name: check S3_BUCKET'],
  ['InvalidAccessKeyId', 'the access key is refused: check S3_ACCESS_KEY_ID'],
  ['SignatureDoesNotMatch', 'the access key is refused: check S3_SECRET_ACCESS_KEY'],
  ['AccessDenied', 'the credentials do not allow it'],
  ['PermanentRedirect', 'the bucket is elsewhere: check S3_REGION and S3_ENDPOINT'],
  ['AuthorizationHeaderMalformed', 'the region is another one: check S3_REGION'],
  ['CredentialsProviderError', 'no credentials are found: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'],
]);

/** Whether the requested object does not exist. */
export function isMissing(error: unknown): boolean {
  return (
    ['NoSuchKey', 'NotFound'].includes(nameOf(error)) || (statusOf(error) === NOT_FOUND && !isRefusal(error))
  );
}

/** Whether the requested range is past the end of the object. */
export function isPastEnd(error: unknown): boolean {
  return nameOf(error) === 'InvalidRange' || statusOf(error) === NO_SUCH_RANGE;
}

/**
 * Converts the error of a failed request. `retryable` means that an immediate repeat may help. The result does not contain the
 * SDK's error, because that has the request with its signature.
 */
export function requestError(error: unknown, { bucket, endpoint, credentials }: S3Settings): HoldfastError {
  if (isHoldfastError(error)) return error;
  const name = nameOf(error);
  const message = hideKeys(messageOf(error), credentials?.secretAccessKey);
  const cause = new Error(`${endpoint ?? 'S3'}, bucket ${bucket}: ${name}: ${message}`);
  const { reason, retryable } = describeError(error);
  return blobsUnavailable(reason, { cause, retryable });
}

/** Converts an error with which the server refuses a setting to `CONFIGURATION`; undefined for any other error. */
export function toConfigurationError(error: unknown): HoldfastError | undefined {
  if (!isRefusal(error)) return undefined;
  return new HoldfastError('CONFIGURATION', `S3 cannot be used: ${describeError(error).reason}`);
}

function isRefusal(error: unknown): boolean {
  return REFUSALS.has(nameOf(error)) || FORBIDDEN.has(statusOf(error) ?? 0);
}

function describeError(error: unknown): { readonly reason: string; readonly retryable: boolean } {
  const name = nameOf(error);
  const status = statusOf(error);
  const refusal = REFUSALS.get(name);
  if (refusal !== undefined) return { reason: refusal, retryable: false };
  if (TIMEOUTS.has(name)) return { reason: 'S3 does not answer in time', retryable: true };
  if (status === undefined) {
    const { description, retryable } = describeFailure(withCode(error));
    return { reason: `S3 cannot be reached: ${description}`, retryable };
  }
  if (FORBIDDEN.has(status)) return { reason: `S3 refuses the credentials (${status})`, retryable: false };
  return { reason: `S3 answered ${status} (${name})`, retryable: isTemporary(status) };
}

/** Adds the code of an error, which it reads from the message, because the SDK keeps only the message of errors of other realms. */
function withCode(error: unknown): unknown {
  const code = codeOf(error) || /\bE[A-Z]{4,}\b/.exec(messageOf(error))?.[0];
  return code === undefined ? error : { code };
}

/** The name of an error. It is read by property and not by class, because the SDK is loaded late. */
function nameOf(error: unknown): string {
  const { name } = (error ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : 'Error';
}

function statusOf(error: unknown): number | undefined {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: unknown } };
  const status = $metadata?.httpStatusCode;
  return typeof status === 'number' ? status : undefined;
}
