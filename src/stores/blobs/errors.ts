import { HoldfastError } from '../../base/errors';

/**
 * Creates a `STORE_UNAVAILABLE` error with details `{ service: 'payloads', reason }`. A caller may see `reason`, so it must not
 * contain a path, an address or a credential; these are in the cause, for the log.
 * @param retryable whether the failure passes with time or an operator can fix it. Default true
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
