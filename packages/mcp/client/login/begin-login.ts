import type { LoginReturn } from '../../../../src/tools/remote-servers';
import {
  auth,
  type OAuthClientInformationMixed,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import type { LoginParty, PendingLogin, ServerKey } from './login-documents';
import type { LoginChallenge } from './login-errors';
import { checkLoginAddress, type LoginFetch, type LoginUse } from './login-fetch';

/** A server at which a person logs in. */
export interface LoginServer extends ServerKey, LoginUse {
  /** How the service is known to the authorization server; absent: it registers itself. */
  readonly client?: { readonly client_id: string; readonly client_secret?: string };
  /** The scopes to ask for; absent: those of the challenge, or of the metadata of the server. */
  readonly scope?: string;
}

/** The maximum time for all requests together, milliseconds. */
const LIMIT_MS = 20_000;

/**
 * Finds the authorization server of a server, registers the service there if that is needed, and builds the address at which a
 * person logs in. Each login registers anew, because an authorization server may have forgotten an earlier registration.
 * @throws what the protocol's client throws, which `describeLoginFailure` reads
 */
export async function beginLogin(
  server: LoginServer,
  { resourceMetadataUrl, scope: askedScope }: LoginChallenge,
  { redirectUrl, state }: LoginReturn,
  fetch: LoginFetch,
): Promise<{ readonly url: URL; readonly pending: PendingLogin }> {
  let url: URL | undefined;
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;
  let resource: string | undefined;
  let client: OAuthClientInformationMixed | undefined = server.client;
  const scope = server.scope ?? askedScope;
  await auth(
    {
      redirectUrl,
      clientMetadata: {
        client_name: 'holdfast',
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
      state: () => state,
      clientInformation: (context) =>
        server.client && { ...server.client, ...(context === undefined ? {} : { issuer: context.issuer }) },
      saveClientInformation: (registered) => void (client = registered),
      tokens: () => undefined,
      saveTokens: () => undefined,
      saveCodeVerifier: (made) => void (verifier = made),
      codeVerifier: () => verifier,
      saveDiscoveryState: (discovered) => void (discovery = discovered),
      saveResourceUrl: (discovered) => void (resource = discovered),
      redirectToAuthorization: (to) => void (url = to),
    },
    {
      serverUrl: server.url,
      fetchFn: fetch(AbortSignal.timeout(LIMIT_MS)),
      scope,
      resourceMetadataUrl,
    },
  );
  if (url === undefined || discovery === undefined || client === undefined)
    throw new Error('the login cannot be begun');
  checkLoginAddress(url.href, server.allowPrivate);
  const party = {
    url: discovery.authorizationServerUrl,
    ...metadataOf(discovery),
    client: clientOf(client),
    resource,
  };
  return { url, pending: { ...party, verifier, redirectUrl } };
}

/** Keeps what requests for tokens need, since each renewal reads it. */
function metadataOf({ authorizationServerMetadata: all }: OAuthDiscoveryState): Pick<LoginParty, 'metadata'> {
  if (all === undefined) return {};
  const { issuer, authorization_endpoint, token_endpoint, response_types_supported } = all;
  return {
    metadata: {
      ...{ issuer, authorization_endpoint, token_endpoint, response_types_supported },
      token_endpoint_auth_methods_supported: all.token_endpoint_auth_methods_supported,
      authorization_response_iss_parameter_supported: all.authorization_response_iss_parameter_supported,
    },
  };
}

function clientOf(client: OAuthClientInformationMixed): LoginParty['client'] {
  const { client_id, client_secret } = client;
  const method = 'token_endpoint_auth_method' in client ? client.token_endpoint_auth_method : undefined;
  return {
    client_id,
    client_secret,
    ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
  };
}
