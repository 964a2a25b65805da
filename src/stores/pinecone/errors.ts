import { describeFailure } from '../../egress/failures';
import { HoldfastError, type HoldfastErrorOptions, isHoldfastError } from '../../base/errors';
import { parseJson } from '../../base/json/parse';
import { parseRetryAfter, isTemporary } from '../../base/http/retry-after';
import { hideKeys } from '../../secrets/hide-keys';

const NOT_FOUND = 404;
const CONFLICT = 409;
/** Pinecone's status if the namespace to delete is already being deleted. */
const PRECONDITION_FAILED = 412;
/** Statuses with which Pinecone refuses the same request at any time. */
const PERMANENT: ReadonlySet<number> = new Set([400, 413, 422]);

/** Creates a `STORE_UNAVAILABLE` error with details `{ service: 'vectordb', reason }`. */
export function vectorStoreUnavailable(
  reason: string,
  options: Pick<HoldfastErrorOptions, 'retryable' | 'retryAfterMs'> = { retryable: true },
): HoldfastError {
  return new HoldfastError('STORE_UNAVAILABLE', `The vector store cannot answer: ${reason}`, {
    details: { service: 'vectordb', reason },
    ...options,
  });
}

/** The error of a response that an immediate repeat of the request would not change. */
class RefusedRequest extends HoldfastError {
  readonly status: number;

  constructor(status: number, reason: string) {
    super('STORE_UNAVAILABLE', `The vector store cannot answer: ${reason}`, {
      details: { service: 'vectordb', reason },
    });
    this.status = status;
  }
}

/** Whether the index, namespace or record that a request names does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof RefusedRequest && [NOT_FOUND, PRECONDITION_FAILED].includes(error.status);
}

/** Whether the index that a request creates already exists. */
export function isConflict(error: unknown): boolean {
  return error instanceof RefusedRequest && error.status === CONFLICT;
}

/** Converts a response other than 2xx to an error. `retryable` means that an immediate repeat may help. */
export function responseError(
  status: number,
  retryAfter: string | null,
  text: string,
  apiKey: string,
): HoldfastError {
  if (status === 401)
    return new RefusedRequest(status, 'Pinecone refuses the API key; check PINECONE_API_KEY');
  if (!isTemporary(status)) {
    const message = hideKeys(readMessage(text), apiKey);
    return new RefusedRequest(status, `Pinecone refuses the request (${status}): ${message}`);
  }
  const retryAfterMs = parseRetryAfter(retryAfter ?? undefined, Date.now());
  return vectorStoreUnavailable(status === 429 ? 'too many requests' : `Pinecone answered ${status}`, {
    retryable: true,
    retryAfterMs,
  });
}

/**
 * Converts the failure of a request that got no response to an error. `retryable` means that an immediate repeat may help. The
 * error contains neither the original error nor its message, because both may contain the key, which is sent in a header.
 */
export function connectionError(error: unknown): HoldfastError {
  if (isHoldfastError(error)) return error;
  const { description, retryable } = describeFailure(error);
  return vectorStoreUnavailable(`Pinecone cannot be reached: ${description}`, { retryable });
}

/**
 * Converts an error to the one that callers of the index get. It is retryable for everything that passes with time or that an
 * operator can fix, such as a wrong key or host name, although no immediate repeat helped.
 */
export function toIndexError(thrown: unknown): unknown {
  const error = unwrap(thrown);
  if (!isHoldfastError(error)) return vectorStoreUnavailable('its response does not follow the Pinecone API');
  if (error.retryable || error.code !== 'STORE_UNAVAILABLE') return error;
  if (error instanceof RefusedRequest && PERMANENT.has(error.status)) return error;
  return new HoldfastError(error.code, error.message, { details: error.details ?? {}, retryable: true });
}

/** Returns the error that `fetch` threw, which the client wraps in another error. */
export function unwrap(thrown: unknown): unknown {
  const { cause } = (thrown ?? {}) as { cause?: unknown };
  return isHoldfastError(cause) ? cause : thrown;
}

/**
 * Reads the message of a response: the control plane sends `{ error: { message } }`, the data plane `{ message }`, and the proxy
 * in front of both sends plain text.
 */
function readMessage(text: string): string {
  try {
    const body = parseJson(text) as { message?: unknown; error?: { message?: unknown } } | null;
    const message = body?.error?.message ?? body?.message;
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}
