import { HoldfastError, isHoldfastError, toolError } from '../base/errors';
import type { EgressResponse } from './egress';

export interface Failure {
  /** Describes the failure without addresses, so that callers may see it. */
  readonly description: string;
  readonly retryable: boolean;
  /** True if the request may have arrived, and have had its effect. */
  readonly mayHaveArrived?: boolean;
}

const temporary = (description: string): Failure => ({ description, retryable: true });
const lost = (description: string): Failure => ({ ...temporary(description), mayHaveArrived: true });
const permanent = (description: string): Failure => ({ description, retryable: false });

const REFUSED_CONNECTION = temporary('connection refused');
const RESET_CONNECTION = lost('the connection was closed before the response was complete');
const TIMED_OUT = lost('no answer in time');
const UNREACHABLE = temporary('the host cannot be reached');
const NAME_SERVER_DOWN = temporary('the name cannot be resolved at the moment');
const SHUTTING_DOWN = temporary('this server is shutting down');

/** The failures by the error codes of Node's sockets, of getaddrinfo and of undici. */
const FAILURES: ReadonlyMap<string, Failure> = new Map([
  ['EAI_AGAIN', NAME_SERVER_DOWN],
  ['ESERVFAIL', NAME_SERVER_DOWN],
  ['ETIMEOUT', NAME_SERVER_DOWN],
  ['ENOTFOUND', permanent('no such host')],
  ['ENODATA', permanent('no such host')],
  ['ECONNREFUSED', REFUSED_CONNECTION],
  ['ECONNRESET', RESET_CONNECTION],
  ['ECONNABORTED', RESET_CONNECTION],
  ['EPIPE', RESET_CONNECTION],
  ['UND_ERR_SOCKET', RESET_CONNECTION],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', RESET_CONNECTION],
  ['HPE_INVALID_EOF_STATE', RESET_CONNECTION],
  ['ETIMEDOUT', TIMED_OUT],
  ['UND_ERR_CONNECT_TIMEOUT', temporary('no answer in time')],
  ['UND_ERR_HEADERS_TIMEOUT', TIMED_OUT],
  ['UND_ERR_BODY_TIMEOUT', TIMED_OUT],
  ['EHOSTUNREACH', UNREACHABLE],
  ['ENETUNREACH', UNREACHABLE],
  ['EHOSTDOWN', UNREACHABLE],
  ['ENETDOWN', UNREACHABLE],
  ['EMFILE', temporary('this server has too many files open')],
  ['EADDRNOTAVAIL', temporary('this server has no free port')],
  ['UND_ERR_DESTROYED', SHUTTING_DOWN],
  ['UND_ERR_CLOSED', SHUTTING_DOWN],
  ['UND_ERR_HEADERS_OVERFLOW', permanent('the response has too many headers')],
]);

/** Failures before there was a connection, so that no server has the request. */
const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const unsent = new WeakSet<HoldfastError>();

/**
 * Converts the error of a request to `url` to one that callers may see.
 * @param isFirst true for the request itself; one that follows a redirect has reached a server before
 */
export function requestFailure(url: URL, error: unknown, isFirst = false): HoldfastError {
  if (isHoldfastError(error)) return error;
  const { description, retryable } = describeFailure(error);
  const failure = toolError(`Request to ${url.host} failed: ${description}`, { retryable, cause: error });
  if (isFirst && isUnsent(error)) unsent.add(failure);
  return failure;
}

/** Whether an error of `Egress.request` says that no server can have got the request. */
export function wasNotSent(error: unknown): boolean {
  return isHoldfastError(error) && unsent.has(error);
}

/** The beginning of a response whose body could not be read. */
export type ResponseHead = Pick<EgressResponse, 'status' | 'headers'>;
const heads = new WeakMap<HoldfastError, ResponseHead>();

/** Notes what was received before a body could not be read. @returns the error */
export function withHead(failure: HoldfastError, head: ResponseHead): HoldfastError {
  heads.set(failure, head);
  return failure;
}

/** What an error of `Egress.request` has of a response whose body could not be read; undefined if none began. */
export function headOf(error: unknown): ResponseHead | undefined {
  return isHoldfastError(error) ? heads.get(error) : undefined;
}

/** Whether an error, by its code or that of a cause, is of the time before there was a connection. */
export function isUnsent(error: unknown): boolean {
  return UNSENT.has(codeOf(error));
}

/** Converts the reason of an aborted signal to the error that `Egress.request` throws. */
export function abortError(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  if (nameOf(reason) === 'TimeoutError') {
    return new HoldfastError('TOOL_TIMEOUT', 'The request did not finish in time', { cause: reason });
  }
  return reason;
}

/** Describes the failure of a connection by the error's code or that of its cause. */
export function describeFailure(error: unknown): Failure {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return { description: refusal.message, retryable: refusal.retryable };
  const code = codeOf(error);
  const known = FAILURES.get(code);
  if (known) return known;
  if (code.startsWith('HPE_') || nameOf(error) === 'HTTPParserError')
    return permanent('the answer is not valid HTTP');
  if (/CERT|SELF_SIGNED|UNABLE_TO_|^ERR_(TLS|SSL)|^EPROTO$/.test(code)) {
    return permanent(`the TLS connection cannot be trusted or made (${code})`);
  }
  return permanent(code === '' ? 'unknown reason' : code);
}

/** Finds the policy's refusal among an error and its causes. The client that could not connect wraps it. */
export function refusalIn(error: unknown): HoldfastError | undefined {
  if (isHoldfastError(error)) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? undefined : refusalIn(cause);
}

/** The name of an error. It is read by property and not by class, because errors may come from other realms or module copies. */
function nameOf(error: unknown): unknown {
  return (error as { name?: unknown } | null | undefined)?.name;
}

/** The code of an error. A socket that tried several addresses fails with one error for all of them, whose first one is used. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  if (Array.isArray(errors)) return codeOf(errors[0]);
  return cause === undefined ? '' : codeOf(cause);
}
