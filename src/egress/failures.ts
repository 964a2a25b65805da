import { HoldfastError, isHoldfastError, toolError } from '../base/errors';

export interface Failure {
  readonly words: string;
  readonly retryable: boolean;
}

const temporary = (words: string): Failure => ({ words, retryable: true });
const lasting = (words: string): Failure => ({ words, retryable: false });

const REFUSED_CONNECTION = temporary('connection refused');
const RESET_CONNECTION = temporary('the connection was closed before the response was complete');
const TIMED_OUT = temporary('no answer in time');
const UNREACHABLE = temporary('the host cannot be reached');
const NAME_SERVER_DOWN = temporary('the name cannot be resolved at the moment');
const SHUTTING_DOWN = temporary('this server is shutting down');

/** By the error codes of Node's sockets, of getaddrinfo and of undici. */
const FAILURES: ReadonlyMap<string, Failure> = new Map([
  ['EAI_AGAIN', NAME_SERVER_DOWN],
  ['ESERVFAIL', NAME_SERVER_DOWN],
  ['ETIMEOUT', NAME_SERVER_DOWN],
  ['ENOTFOUND', lasting('no such host')],
  ['ENODATA', lasting('no such host')],
  ['ECONNREFUSED', REFUSED_CONNECTION],
  ['ECONNRESET', RESET_CONNECTION],
  ['ECONNABORTED', RESET_CONNECTION],
  ['EPIPE', RESET_CONNECTION],
  ['UND_ERR_SOCKET', RESET_CONNECTION],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', RESET_CONNECTION],
  ['HPE_INVALID_EOF_STATE', RESET_CONNECTION],
  ['ETIMEDOUT', TIMED_OUT],
  ['UND_ERR_CONNECT_TIMEOUT', TIMED_OUT],
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
  ['UND_ERR_HEADERS_OVERFLOW', lasting('the response has too many headers')],
]);

/** Turns whatever a request to `url` threw into an error that may be shown to the caller. */
export function requestFailure(url: URL, error: unknown): HoldfastError {
  if (isHoldfastError(error)) return error;
  const { words, retryable } = failureOf(error);
  return toolError(`Request to ${url.host} failed: ${words}`, { retryable, cause: error });
}

/** What an aborted signal means to the caller; see `Egress.request`. */
export function abortError(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  if (nameOf(reason) === 'TimeoutError') {
    return new HoldfastError('TOOL_TIMEOUT', 'The request did not finish in time', { cause: reason });
  }
  return reason;
}

/** What a failed connection means, by the error's code or that of its cause. */
export function failureOf(error: unknown): Failure {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return { words: refusal.message, retryable: refusal.retryable };
  const code = codeOf(error);
  const known = FAILURES.get(code);
  if (known) return known;
  if (code.startsWith('HPE_') || nameOf(error) === 'HTTPParserError')
    return lasting('the answer is not valid HTTP');
  if (/CERT|SELF_SIGNED|UNABLE_TO_|^ERR_(TLS|SSL)|^EPROTO$/.test(code)) {
    return lasting(`the TLS connection cannot be trusted or made (${code})`);
  }
  return lasting(code === '' ? 'unknown reason' : code);
}

/** What this service itself refused, below the client that could not connect. */
function refusalIn(error: unknown): HoldfastError | undefined {
  if (isHoldfastError(error)) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? undefined : refusalIn(cause);
}

/** By property and not by class, as errors come from other realms and from copies of a module. */
function nameOf(error: unknown): unknown {
  return (error as { name?: unknown } | null | undefined)?.name;
}

/** A socket that tried several addresses fails with one error for all of them; the first tells enough. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  if (Array.isArray(errors)) return codeOf(errors[0]);
  return cause === undefined ? '' : codeOf(cause);
}
