import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from './authorization-server';
import { type Era, type Guard, type RemoteMcp, startRemoteMcp, structured } from './remote-mcp';

/** A server whose tool only those may call whom the authorization server has let in. */
export interface ProtectedMcp extends RemoteMcp {
  /** The address that its metadata name as that of the authorization server. */
  authorizationServer: string;
  /** Whether its refusals name neither a scheme nor its metadata. */
  silent: boolean;
  /** Tokens that it refuses although they are valid. */
  readonly refused: Set<string>;
  /** The token of the latest call. */
  token(): string;
}

const METADATA = '/.well-known/oauth-protected-resource/mcp';

export async function startProtectedMcp(by: AuthorizationServer, era: Era = 'modern'): Promise<ProtectedMcp> {
  const refused = new Set<string>();
  let latest = '';
  const named = { authorizationServer: by.issuer, silent: false };

  async function isLetIn(token: string, url: string): Promise<boolean> {
    if (token === '' || refused.has(token)) return false;
    const { active, aud, scope = '' } = await by.introspect(token);
    return active && aud === url && scope.split(' ').includes('shop');
  }

  const guard: Guard = async (incoming: IncomingMessage) => {
    const origin = `http://${incoming.headers.host}`;
    if (incoming.url === METADATA)
      return Response.json({
        resource: `${origin}/mcp`,
        authorization_servers: [named.authorizationServer],
        scopes_supported: ['shop'],
      });
    if (incoming.url !== '/mcp') return new Response(null, { status: 404 });
    const token = incoming.headers.authorization?.replace(/^Bearer /, '') ?? '';
    latest = token;
    if (await isLetIn(token, `${origin}/mcp`)) return undefined;
    if (named.silent) return new Response(null, { status: 401 });
    const challenge = `Bearer resource_metadata="${origin}${METADATA}", scope="shop"`;
    return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
  };

  const find = { annotations: { readOnlyHint: true }, call: () => structured({ items: ['tea'] }) };
  const buy = { call: () => structured({ number: 7 }) };
  const remote = await startRemoteMcp({ find, buy }, era, guard);
  return Object.assign(named, { ...remote, refused, token: () => latest });
}
