import {
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { codeOf, HoldfastError, messageOf } from '../../../../src/base/errors';
import { cutText } from '../../../../src/base/text/well-formed';
import { describeFailure, type Failure } from '../../../../src/egress/failures';

/** What a server says of the login that it asks for (RFC 9728, section 5.1). */
export interface LoginChallenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

/** A server asks for a login, and the connection to it has none. */
export class LoginAsked extends Error {
  override readonly name = 'LoginAsked';

  constructor(readonly challenge: LoginChallenge) {
    super('it asks for a login; add it with "auth": { "type": "oauth" }, and log in');
  }
}

/** Reads the challenge of a 401; undefined if it does not ask for a token. Pure. */
export function readChallenge(response: Response): LoginChallenge | undefined {
  if (!/^(bearer|dpop)\b/i.test(response.headers.get('www-authenticate') ?? '')) return undefined;
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { resourceMetadataUrl, scope };
}

/** Creates the error of a server that a person has to log in at. */
export function loginRequired(server: string, reason: string): HoldfastError {
  return new HoldfastError(
    'MCP_LOGIN_REQUIRED',
    `A person has to log in at the server "${server}" (POST /api/mcp-servers/${server}/login): ${reason}`,
    { details: { server, reason } },
  );
}

export interface LoginFailure extends Failure {
  /** Whether the authorization server has refused what it was sent. */
  readonly refused: boolean;
}

/** Errors that say nothing about what was sent. Other answers than those of the protocol count as the first of them. */
const TEMPORARY: ReadonlySet<string> = new Set([
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
]);
/** RFC 6749, 5.2, and no longer than a name. */
const CODE = /^[!#-[\]-~]{1,60}$/;
const MAX_MESSAGE = 300;

/**
 * Describes why an authorization server has not done what it was asked for. Its own words are left out, since a server may repeat
 * in them what it was sent. Pure.
 */
export function describeLoginFailure(error: unknown): LoginFailure {
  if (OAuthError.isInstance(error)) {
    const code: string = error.code;
    const refused = !TEMPORARY.has(code);
    const shown = CODE.test(code) ? code : 'a malformed error';
    return { description: `the authorization server answered ${shown}`, retryable: !refused, refused };
  }
  const failure = (description: string, retryable: boolean): LoginFailure => ({
    description,
    retryable,
    refused: false,
  });
  const { name, cause } = error as { name?: unknown; cause?: unknown };
  if (name === 'TimeoutError') return failure('the authorization server did not answer in time', true);
  if (codeOf(error) !== '' || cause !== undefined) {
    const { description, retryable } = describeFailure(error);
    return failure(description, retryable);
  }
  if (error instanceof RegistrationRejectedError) {
    const status = `with the status ${error.status}`;
    return failure(
      `the authorization server did not register the service, ${status}; give a clientId`,
      false,
    );
  }
  if (error instanceof IssuerMismatchError) return failure('the answer is from another issuer', false);
  if (name === 'SyntaxError' || name === 'ZodError')
    return failure('the answer of the authorization server is not as the protocol says', false);
  return failure(cutText(messageOf(error), MAX_MESSAGE), false);
}
