import type { Scope } from '../../src/contracts/http/access';

/** What a route needs of its caller: a scope, or nothing where it is `open`. */
export type Access = Scope | 'open';

/** The header of a refusal, by RFC 6750: which scheme authenticates, and what was wrong with what was sent. */
export function bearerChallenge(details: Readonly<Record<string, unknown>> | undefined): string {
  const scope = details?.['scope'];
  if (typeof scope === 'string') return `Bearer error="insufficient_scope", scope="${scope}"`;
  return details?.['error'] === 'invalid_token' ? 'Bearer error="invalid_token"' : 'Bearer';
}
