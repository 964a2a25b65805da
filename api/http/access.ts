import type { Caller } from '../../src/access/caller';
import { HoldfastError } from '../../src/base/errors';
import type { Scope } from '../../src/contracts/http/access';
import { DEFAULT_TENANT } from '../../src/contracts/tenants';

/** What a route needs of its caller: a scope, a valid key or token of `any` scopes, or nothing if it is `open`. */
export type Access = Scope | 'any' | 'open';

/** What a route declares about its callers, if callers are authenticated. */
export interface AccessRule {
  /** What a caller needs. */
  readonly access: Access;
  /** The scope that suffices a caller of one user, who can only mean that user; absent: only `access` suffices. */
  readonly accessToOwn?: Scope;
  /**
   * Whom a request concerns. `caller`, the default: the tenant of the caller, and its user if it has one. `tenant`: all users
   * of the tenant, so that a caller of one user is refused. `service`: all tenants, so that callers of other tenants than the
   * default one are refused too.
   */
  readonly concerns?: 'caller' | 'tenant' | 'service';
  /** Whether a token to read one run, in the query, may stand for the caller. The path has the run as `:traceId`. */
  readonly takesRunToken?: boolean;
}

/**
 * Checks that a caller may use a route at all.
 * @throws HoldfastError `SCOPE_MISSING` with details `{ scope }`, or `ACCESS_DENIED`
 */
export function checkAccess(
  { scopes, tenant, userId }: Caller,
  { access, accessToOwn, concerns = 'caller' }: AccessRule,
): void {
  if (access === 'open' || access === 'any') return;
  const ownAccess = userId === undefined ? access : (accessToOwn ?? access);
  const isAllowed = scopes.has(access) || scopes.has(ownAccess);
  if (!isAllowed)
    throw new HoldfastError('SCOPE_MISSING', `The request needs the scope ${ownAccess}`, {
      details: { scope: ownAccess },
    });
  if (concerns !== 'caller' && userId !== undefined)
    throw new HoldfastError('ACCESS_DENIED', 'A key or token of one user may not do this');
  if (concerns === 'service' && tenant !== DEFAULT_TENANT)
    throw new HoldfastError('ACCESS_DENIED', `Only callers of the tenant ${DEFAULT_TENANT} may do this`);
}

/**
 * The header of a refusal, by RFC 6750: which scheme authenticates, and what was wrong with what was sent.
 * @param metadataUrl where clients learn who issues tokens (RFC 9728)
 */
export function bearerChallenge(
  details: Readonly<Record<string, unknown>> | undefined,
  metadataUrl: string | undefined,
): string {
  const scope = details?.['scope'];
  const parameters = [
    ...(typeof scope === 'string' ? ['error="insufficient_scope"', `scope="${scope}"`] : []),
    ...(details?.['error'] === 'invalid_token' ? ['error="invalid_token"'] : []),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return `Bearer ${parameters.join(', ')}`.trim();
}
