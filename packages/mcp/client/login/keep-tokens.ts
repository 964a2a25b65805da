import type { OAuthTokens } from '@modelcontextprotocol/client';
import { untilAvailable } from '../../../../src/stores/until-available';
import {
  type LoginDocuments,
  type LoginParty,
  type ServerKey,
  type StoredLogin,
  withTokens,
} from './login-documents';

/** Stores the tokens that a server was given. They are used only once they are stored. */
export type KeepTokens = (
  server: ServerKey,
  party: LoginParty,
  tokens: OAuthTokens,
  /** Whether they belong to the login as it is now: a person may have logged in while they were asked for. Default: always. */
  isWanted?: (login: StoredLogin) => boolean,
) => Promise<void>;

/** How long the store may be away before tokens are lost, milliseconds. */
export const KEEP_LIMIT_MS = 30_000;

export function createKeepTokens(documents: LoginDocuments, now: () => number): KeepTokens {
  return async (server, { url, metadata, client, resource }, tokens, isWanted = () => true) => {
    const granted = documents.seal(server, {
      url,
      metadata,
      client,
      resource,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
    });
    const at = now();
    await untilAvailable(
      () =>
        documents.change(server, (login) =>
          isWanted(login) ? withTokens(login, granted, tokens, at) : login,
        ),
      // The request that brought them cannot be made again, so nothing ends the wait.
      { signal: new AbortController().signal, timeoutMs: KEEP_LIMIT_MS, onFailure: () => undefined },
    );
  };
}
