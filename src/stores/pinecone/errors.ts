import { failureOf } from '../../egress/failures';
import { HoldfastError, type HoldfastErrorOptions, isHoldfastError } from '../../base/errors';
import { parseRetryAfter } from '../../base/http/retry-after';
import { isTemporary } from '../../base/http/temporary-status';
import { hideKeys } from '../../secrets/hide-keys';

const NOT_FOUND = 404;
const CONFLICT = 409;
/** What Pinecone answers where a namespace is deleted that is on its way out already. */
const PRECONDITION_FAILED = 412;
/** The same request will be refused at any time. */
const FOR_GOOD: ReadonlySet<number> = new Set([400, 413, 422]);

/** `STORE_UNAVAILABLE`, details `{ service: 'vectordb', reason }`. */
export function vectorStoreUnavailable(
  reason: string,
  options: Pick<HoldfastErrorOptions, 'retryable' | 'retryAfterMs'> = { retryable: true },
): HoldfastError {
  return new HoldfastError('STORE_UNAVAILABLE', `The vector store cannot answer: ${reason}`, {
    details: { service: 'vectordb', reason },
    ...options,
  });
}

/** An answer that another attempt right after it would not change. */
class RefusedRequest extends HoldfastError {
  readonly status: number;

  constructor(status: number, reason: string) {
    super('STORE_UNAVAILABLE', `The vector store cannot answer: ${reason}`, {
      details: { service: 'vectordb', reason },
    });
    this.status = status;
  }
}

/** Whether what was asked for by name is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof RefusedRequest && [NOT_FOUND, PRECONDITION_FAILED].includes(error.status);
}

/** Whether what was to be made is there already. */
export function isConflict(error: unknown): boolean {
  return error instanceof RefusedRequest && error.status === CONFLICT;
}

/** What an answer other than 2xx means; `retryable`: right away. */
export function answerError(
  status: number,
  retryAfter: string | null,
  text: string,
  apiKey: string,
): HoldfastError {
  if (status === 401)
    return new RefusedRequest(status, 'Pinecone refuses the API key; check PINECONE_API_KEY');
  if (!isTemporary(status)) {
    const words = hideKeys(wordsOf(text), apiKey);
    return new RefusedRequest(status, `Pinecone refuses the request (${status}): ${words}`);
  }
  const retryAfterMs = parseRetryAfter(retryAfter ?? undefined, Date.now());
  return vectorStoreUnavailable(status === 429 ? 'too many requests' : `Pinecone answered ${status}`, {
    retryable: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/**
 * What a request without an answer means; `retryable`: right away. The error carries neither the original nor its
 * message: both may hold the key, as it stands in a header.
 */
export function connectionError(error: unknown): HoldfastError {
  if (isHoldfastError(error)) return error;
  const { words, retryable } = failureOf(error);
  return vectorStoreUnavailable(`Pinecone cannot be reached: ${words}`, { retryable });
}

/**
 * What a caller of the index is told. Whatever time or an operator can mend is retryable here, the key and the
 * host name included, though nobody tried them again at once.
 */
export function toIndexError(thrown: unknown): unknown {
  const error = unwrap(thrown);
  if (!isHoldfastError(error)) return vectorStoreUnavailable('its answer is none of the Pinecone API');
  if (error.retryable || error.code !== 'STORE_UNAVAILABLE') return error;
  if (error instanceof RefusedRequest && FOR_GOOD.has(error.status)) return error;
  return new HoldfastError(error.code, error.message, { details: error.details ?? {}, retryable: true });
}

/** The client wraps what its `fetch` throws. */
export function unwrap(thrown: unknown): unknown {
  const { cause } = (thrown ?? {}) as { cause?: unknown };
  return isHoldfastError(cause) ? cause : thrown;
}

/** The control plane has `{ error: { message } }`, the data plane `{ message }`, the layer before both a text. */
function wordsOf(text: string): string {
  try {
    const body = JSON.parse(text) as { message?: unknown; error?: { message?: unknown } } | null;
    const words = body?.error?.message ?? body?.message;
    return typeof words === 'string' ? words : text;
  } catch {
    return text;
  }
}
