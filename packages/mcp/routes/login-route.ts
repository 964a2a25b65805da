import { z } from 'zod';
import type { KeyStore } from '../../../src/access/key-store';
import { HoldfastError } from '../../../src/base/errors';
import { mcpLoginSchema } from '../../../src/contracts/http/mcp-servers';
import type { RemoteServers } from '../../../src/tools/remote-servers';
import { serverClock } from '../../../temporal/server-clock';
import { documentedAs } from '../../../api/http/examples';
import { type AnyRoute, routesWith } from '../../../api/http/route';
import { makerOf } from '../../../api/http/caller-identity';
import { LOGIN_MS, type LoginStates } from '../../../src/secrets/signed-texts';

/** The path of the page to which authorization servers send people back. */
export const LOGIN_PATH = '/api/mcp-servers/oauth/callback';

/** What the routes of remote servers need of the caller's tenant. */
export interface McpServerServices {
  readonly tenant: string;
  readonly mcp: { readonly servers: RemoteServers };
}

const { defineRoute } = routesWith<McpServerServices>();

export interface LoginPorts {
  readonly states: Pick<LoginStates, 'sign'>;
  /** Absent: keys are not accepted. */
  readonly keys: Pick<KeyStore, 'stampOf'> | undefined;
  /** The address under which people reach this API. */
  readonly publicUrl: string | undefined;
}

/** The route that begins a login at a remote server. */
export function mcpLoginRoute({ states, keys, publicUrl }: LoginPorts): AnyRoute<McpServerServices> {
  return defineRoute({
    method: 'post',
    path: '/api/mcp-servers/:name/login',
    ...documentedAs('loginMcpServer'),
    access: 'tools',
    tag: 'MCP servers',
    summary: 'Begin a login at a remote MCP server',
    description:
      'For a server that was added with `auth`. A person opens the address and logs in, within 10 minutes; the browser comes back ' +
      'to this API, which then lists the tools of the server. The address is for that person alone, because the tenant uses the ' +
      'server as who logs in. A login that is begun replaces one that was begun before.',
    message: 'Login begun successfully',
    request: { params: z.object({ name: z.string() }) },
    response: mcpLoginSchema,
    async handler({ params: { name } }, { caller, logger, services: { tenant, mcp } }) {
      const exp = serverClock.now() + LOGIN_MS;
      const maker = await makerOf(caller, keys);
      const authorizationUrl = await mcp.servers.beginLogin(name, (login) => ({
        redirectUrl: redirectUrlOf(publicUrl),
        state: states.sign({ tenant, ...login, ...maker, exp }),
      }));
      const expiresAt = new Date(exp).toISOString();
      logger.info(
        { server: name, tenant, keyId: caller.keyId, expiresAt },
        'a login at an MCP server was begun',
      );
      return { authorizationUrl, expiresAt };
    },
  });
}

/** @throws HoldfastError `ACCESS_DENIED` if no address is set */
function redirectUrlOf(publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return `${publicUrl.replace(/\/+$/, '')}${LOGIN_PATH}`;
  throw new HoldfastError(
    'ACCESS_DENIED',
    'Logins are not possible here; an operator has to set PUBLIC_URL to the address under which people reach this API',
  );
}
