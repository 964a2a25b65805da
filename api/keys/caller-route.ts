import type { Caller } from '../../src/access/caller';
import { callerSchema } from '../../src/contracts/http/access';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';

/** The route by which callers learn what they may do, so that a client asks for nothing that is refused. */
export function callerRoute(): AnyRoute {
  return defineRoute({
    method: 'get',
    path: '/api/keys/self',
    ...documentedAs('getCaller'),
    access: 'any',
    tag: 'Keys',
    summary: 'What the caller may do: its scopes, its tenant, and its user if it has one',
    message: 'Caller retrieved successfully',
    request: {},
    response: callerSchema,
    handler: async (_input, { caller }) => {
      const { scopes, tenant, userId } = caller;
      return { auth: wayOf(caller), scopes: [...scopes], tenant, userId };
    },
  });
}

/** How a caller has been authenticated, as the setting `AUTH` names it. */
function wayOf({ keyId, id }: Caller): 'keys' | 'jwt' | 'off' {
  if (keyId !== undefined) return 'keys';
  return id === undefined ? 'off' : 'jwt';
}
