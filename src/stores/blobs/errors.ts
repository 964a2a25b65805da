import { HoldfastError } from '../../base/errors';

/**
 * `STORE_UNAVAILABLE`, details `{ service: 'payloads', reason }`. `reason` may be shown to a caller: no path, address or
 * credential is in it; where it happened and how is told by the cause, for the log.
 * @param retryable default true: time or an operator can mend it
 */
export function blobsUnavailable(
  reason: string,
  { cause, retryable = true }: { readonly cause?: unknown; readonly retryable?: boolean } = {},
): HoldfastError {
  return new HoldfastError('STORE_UNAVAILABLE', `The store of large values cannot be used: ${reason}`, {
    details: { service: 'payloads', reason },
    retryable,
    cause,
  });
}
