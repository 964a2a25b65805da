import type { Answer, ErrorBody } from './types.js';

/** An answer that is no success. */
export class HoldfastApiError extends Error {
  override readonly name = 'HoldfastApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The stable code, as in `TOOL_NOT_FOUND`; undefined if the answer came from something else, such as a proxy. */
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  /** @param answer the body of the answer, of whatever form */
  constructor(status: number, answer: unknown) {
    const body = typeof answer === 'object' && answer !== null ? (answer as Partial<ErrorBody>) : undefined;
    super(body?.detail ?? `The service answered ${status}`);
    this.status = status;
    this.code = body?.code;
    this.details = body?.details;
  }
}

/** A run that has ended without a result. */
export class HoldfastRunError extends Error {
  override readonly name = 'HoldfastRunError';
  readonly traceId: string;
  /** How it ended: `failed`, `cancelled`, `terminated` or `timed_out`. */
  readonly status: string;
  readonly code: string | undefined;
  readonly details: unknown;

  constructor(
    traceId: string,
    status: string,
    error: { readonly code?: string; readonly message?: string; readonly details?: unknown } | undefined,
  ) {
    super(error?.message ?? `The run ended as ${status}`);
    this.traceId = traceId;
    this.status = status;
    this.code = error?.code;
    this.details = error?.details;
  }
}

/**
 * Returns the body of a success.
 * @throws HoldfastApiError for any other answer
 */
export function successOf<B>(answer: Answer<B>): B {
  if (answer.data !== undefined) return answer.data;
  throw new HoldfastApiError(answer.response.status, answer.error);
}
