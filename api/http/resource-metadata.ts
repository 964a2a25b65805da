import cors from '@koa/cors';
import type Router from '@koa/router';
import { HoldfastError } from '../../src/base/errors';
import type { Scope } from '../../src/contracts/http/access';
import type { TokenSettings } from '../../src/settings/tokens';
import type { RequestState } from './request-state';

export interface ProtectedResource {
  /** The address under which people reach the server; undefined: the one that a request was sent to. */
  readonly publicUrl: string | undefined;
  /** Whose tokens are accepted; undefined: none. */
  readonly tokens: Pick<TokenSettings, 'issuer' | 'scopesClaim'> | undefined;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** The resource that challenges name, as its path. The metadata of the whole server is there too. */
const RESOURCE = '/mcp';
/** What calls of the Model Context Protocol need. Clients ask for all of these, so none is here that administers. */
const SCOPES: readonly Scope[] = ['read', 'run', 'memory'];
/** The claim that has what clients ask for as `scope`. */
const SCOPE_CLAIM = 'scope';

/**
 * Mounts the metadata by which clients find the authorization server (RFC 9728). They are open to all, also to pages of other
 * origins, and absent if no tokens are accepted.
 */
export function mountResourceMetadata(router: Router<RequestState>, resource: ProtectedResource): void {
  const { tokens } = resource;
  const toAnyPage = cors({ origin: '*', allowMethods: ['GET', 'HEAD'] });
  for (const path of ['', RESOURCE]) {
    const at = `${WELL_KNOWN}${path}`;
    router.options(at, toAnyPage, () => undefined);
    router.get(at, toAnyPage, (ctx) => {
      if (!isPublished(resource) || tokens === undefined)
        throw new HoldfastError('PATH_NOT_FOUND', 'No tokens of an authorization server are accepted here');
      ctx.body = {
        resource: `${baseOf(resource, ctx.state.context.origin)}${path}`,
        authorization_servers: [tokens.issuer],
        bearer_methods_supported: ['header'],
        ...(tokens.scopesClaim === SCOPE_CLAIM ? { scopes_supported: SCOPES } : {}),
        resource_name: 'holdfast',
      };
    });
  }
}

/** The address of the metadata that challenges name; undefined if there are none. Pure. @param origin that of the request */
export function resourceMetadataUrl(resource: ProtectedResource, origin: string): string | undefined {
  return isPublished(resource) ? `${baseOf(resource, origin)}${WELL_KNOWN}${RESOURCE}` : undefined;
}

/** An issuer that is no address cannot be asked for a token. */
function isPublished({ tokens }: ProtectedResource): boolean {
  return tokens !== undefined && /^https?:\/\//.test(tokens.issuer) && URL.canParse(tokens.issuer);
}

function baseOf({ publicUrl }: ProtectedResource, origin: string): string {
  return (publicUrl ?? origin).replace(/\/+$/, '');
}
