import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { HoldfastError, isHoldfastError, isStackOverflow, messageOf } from '../../../src/base/errors';
import { describeFailure, isUnsent, type Failure } from '../../../src/egress/failures';
import { LoginAsked } from './login/login-errors';
import { UNFIT_MESSAGE } from './checked-messages';
import { cutText } from '../../../src/base/text/well-formed';

const MAX_MESSAGE = 500;
export interface RemoteFailure extends Failure {
  /** Whether the request certainly did not reach the server. */
  readonly unsent: boolean;
}

/** The error of a request that needs a person to log in; undefined if it failed for another reason. */
export function toLoginRequired(server: string, error: unknown): HoldfastError | undefined {
  const reason = findCause(
    error,
    (cause) => cause instanceof LoginAsked || (isHoldfastError(cause) && cause.code === 'MCP_LOGIN_REQUIRED'),
  );
  if (!(reason instanceof LoginAsked)) return reason as HoldfastError | undefined;
  return new HoldfastError('MCP_LOGIN_REQUIRED', `The server "${server}" cannot be used: ${reason.message}`, {
    details: { server, reason: reason.message },
    cause: reason,
  });
}

/** Describes why a request to a server failed, in words that callers may see. */
export function describeRemoteFailure(error: unknown): RemoteFailure {
  const http = findCause(error, (cause) => SdkHttpError.isInstance(cause));
  if (SdkHttpError.isInstance(http)) return describeStatus(http.status);
  if (ProtocolError.isInstance(error)) {
    if (error.data === UNFIT_MESSAGE) return permanent(error.message);
    return permanent(`it answered with the error ${error.code}: ${shorten(error.message)}`);
  }
  const code = SdkError.isInstance(error) ? error.code : undefined;
  if (code === SdkErrorCode.RequestTimeout)
    return { ...temporary('it did not answer in time'), unsent: false };
  if (code === SdkErrorCode.ConnectionClosed)
    return { ...temporary('it ended before it answered'), unsent: false };
  if (code === SdkErrorCode.NotConnected)
    return { ...temporary('it ended before it was asked'), unsent: true };
  if (code === SdkErrorCode.UnsupportedResultType) {
    return permanent('it asks for input, which calls of this service cannot give');
  }
  const network = findCause(error, isNetworkError);
  if (isSpawnError(network)) return { ...describeSpawnError(network), unsent: true };
  // A login that could not be renewed has kept the request from being sent.
  if (isHoldfastError(network) && network.code === 'MCP_SERVER_UNAVAILABLE')
    return { description: network.message, retryable: network.retryable, unsent: true };
  if (network !== undefined) {
    return { ...describeFailure(network), unsent: findCause(network, isUnsent) !== undefined };
  }
  if (isStackOverflow(error)) return permanent('its answer is nested too deeply');
  return permanent(shorten(messageOf(error)));
}

function describeStatus(status: number): RemoteFailure {
  if (status === 401 || status === 403) {
    return permanent(
      `it refused the request with the status ${status}; check the headers or the login of the server`,
    );
  }
  const isTemporary = status === 429 || status >= 500;
  return {
    description: `it answered with the status ${status}`,
    retryable: isTemporary,
    unsent: status === 429,
  };
}

function permanent(description: string): RemoteFailure {
  return { description, retryable: false, unsent: false };
}

function temporary(description: string): Failure {
  return { description, retryable: true };
}

/** An error of the system by which a command could not be started. */
interface SpawnError {
  readonly syscall: string;
  readonly code: string;
}

function isSpawnError(error: unknown): error is SpawnError {
  const { syscall } = (error ?? {}) as { syscall?: unknown };
  return typeof syscall === 'string' && syscall.startsWith('spawn');
}

function describeSpawnError({ code }: SpawnError): Failure {
  if (code === 'ENOENT')
    return { description: 'its command was not found on this machine', retryable: false };
  if (code === 'EACCES')
    return { description: 'its command may not be run on this machine', retryable: false };
  const isTemporary = code === 'EAGAIN' || code === 'ENOMEM' || code === 'EMFILE';
  return { description: `its command could not be started (${code})`, retryable: isTemporary };
}

/** Whether an error is one of the egress policy, of a socket or of undici. Errors of the protocol have codes too. */
function isNetworkError(error: unknown): boolean {
  return !SdkError.isInstance(error) && codeOf(error) !== '';
}

function findCause(error: unknown, matches: (error: unknown) => boolean): unknown {
  for (let at = error, depth = 0; at !== undefined && at !== null && depth < 10; depth += 1) {
    if (matches(at)) return at;
    at = (at as { cause?: unknown }).cause;
  }
  return undefined;
}

/** The code of an error, or that of the first of the addresses that a socket tried. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : '';
}

function shorten(text: string): string {
  return text.length > MAX_MESSAGE ? `${cutText(text, MAX_MESSAGE)}…` : text;
}
