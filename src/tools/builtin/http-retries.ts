import type { Egress, EgressRequest, EgressResponse } from '../../egress/egress';
import { isHoldfastError, toolError } from '../../base/errors';
import { parseRetryAfter } from '../../base/http/retry-after';
import { isTemporary } from '../../base/http/temporary-status';
import type { ToolContext } from '../tool';

export interface RetryRules {
  readonly context: ToolContext;
  /** True where sending the same request twice does no more than sending it once. */
  readonly repeatable: boolean;
  /** `performance.now()` when the call's `run` began. */
  readonly startedAt: number;
}

/**
 * Sends a request for a tool. Where the request may be repeated and another attempt can still help, a temporary failure
 * is thrown as a retryable error. Otherwise the response is returned whatever its status, and a failed connection is a
 * toLastingError error, because the request may already have had its effect.
 */
export async function requestForTool(
  egress: Egress,
  request: Omit<EgressRequest, 'owner' | 'signal' | 'allowPrivate' | 'admit'>,
  { context, repeatable, startedAt }: RetryRules,
): Promise<EgressResponse> {
  if (!repeatable && context.attempt > 1) {
    throw toolError(
      'The request was under way when its worker was lost; not sent again, as it may have had its effect',
    );
  }
  const sentAt = performance.now();
  let response: EgressResponse;
  try {
    const { owner, signal, admit, allowPrivate = false } = context;
    response = await egress.request({ ...request, owner, allowPrivate, admit, signal });
  } catch (error) {
    throw repeatable ? error : toLastingError(error);
  }
  if (!repeatable || context.lastAttempt || !isTemporary(response.status)) return response;
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now());
  const now = performance.now();
  const timeLeft = context.timeoutMs - (now - startedAt);
  // Another attempt takes about as long as this one did.
  if ((retryAfterMs ?? 0) + (now - sentAt) >= timeLeft) return response;
  throw toolError(`${withoutQuery(response.url)} answered ${response.status}`, {
    retryable: true,
    retryAfterMs,
  });
}

/** The address without its query, because a query may contain keys and personal data. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function toLastingError(error: unknown): unknown {
  if (!isHoldfastError(error) || !error.retryable) return error;
  return toolError(`${error.message}; not sent again, as the request may have had its effect`, {
    cause: error,
  });
}
