import type { Egress, EgressRequest, EgressResponse } from '../../egress/egress';
import { headOf, type ResponseHead, wasNotSent } from '../../egress/failures';
import { isHoldfastError, toolError, withDetails } from '../../base/errors';
import { parseRetryAfter, isTemporary } from '../../base/http/retry-after';
import type { ToolContext } from '../tool';
import { shownHeaders } from './headers';

export interface RetryRules {
  readonly context: ToolContext;
  /** True if the request may be sent again after it may have reached its server. */
  readonly repeatable: boolean;
  /** `performance.now()` when the call's `run` began. */
  readonly startedAt: number;
  /** Whether a status is what the caller wants, though it is one that may pass. */
  readonly isWanted?: (status: number) => boolean;
}

/**
 * Sends a request for a tool. If another attempt is allowed and can still help, a temporary failure is thrown as a
 * retryable error. A request that is not `repeatable` may be sent again only as long as no attempt can have reached the
 * server. Otherwise the response is returned whatever its status, and a failed connection is a lasting error.
 */
export async function requestForTool(
  egress: Egress,
  request: Omit<EgressRequest, 'owner' | 'signal' | 'allowPrivate' | 'admit'>,
  { context, repeatable, startedAt, isWanted }: RetryRules,
): Promise<EgressResponse> {
  const { sent } = context;
  if (!repeatable && (sent?.earlier ?? context.attempt > 1)) {
    throw toolError(
      'The request was under way when its worker was lost; not sent again, as it may have had its effect',
    );
  }
  const sentAt = performance.now();
  let response: EgressResponse;
  try {
    const { owner, signal, admit, allowPrivate = false } = context;
    if (!repeatable) sent?.set(true);
    response = await egress.request({ ...request, owner, allowPrivate, admit, signal });
  } catch (error) {
    if (repeatable) throw error;
    if (!wasNotSent(error)) throw withAnswer(toLastingError(error), headOf(error));
    sent?.set(false);
    throw error;
  }
  const { status } = response;
  if (!repeatable || context.lastAttempt || !isTemporary(status) || isWanted?.(status)) return response;
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now());
  const now = performance.now();
  const timeLeft = context.timeoutMs - (now - startedAt);
  // Another attempt takes about as long as this one did.
  if ((retryAfterMs ?? 0) + (now - sentAt) >= timeLeft) return response;
  throw toolError(`${withoutQuery(response.url)} answered ${status}`, { retryable: true, retryAfterMs });
}

/** The address without its query, because a query may contain keys and personal data. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Adds what was received of a response to the error of a request that may have had its effect. */
function withAnswer(error: unknown, head: ResponseHead | undefined): unknown {
  if (head === undefined || !isHoldfastError(error)) return error;
  return withDetails(error, { answer: { status: head.status, headers: shownHeaders(head.headers) } });
}

function toLastingError(error: unknown): unknown {
  if (!isHoldfastError(error) || !error.retryable) return error;
  return toolError(`${error.message}; not sent again, as the request may have had its effect`, {
    cause: error,
  });
}
