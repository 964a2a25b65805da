import { HoldfastError } from '../base/errors';
import type { Settings } from './schema';

/** How JSON Web Tokens are checked. */
export interface TokenSettings {
  /** What verifies signatures: the address of a JSON Web Key Set, or a file with a public key in PEM. */
  readonly keys: { readonly url: string } | { readonly file: string };
  readonly issuer: string;
  readonly audience: string;
  /** The claim with the scopes: a text with spaces between them, or a list. */
  readonly scopesClaim: string;
  /** The claim with the tenant; undefined: all tokens are of the default tenant. */
  readonly tenantClaim: string | undefined;
  /** The claim with the only user whom requests may name; undefined: they may name any user. */
  readonly userClaim: string | undefined;
}

/** @returns undefined if `AUTH` has no `jwt`. @throws HoldfastError `CONFIGURATION` if it has, and a setting is missing */
export function chooseTokens(settings: Settings): TokenSettings | undefined {
  const {
    AUTH,
    JWT_JWKS_URL: url,
    JWT_KEY_FILE: file,
    JWT_ISSUER: issuer,
    JWT_AUDIENCE: audience,
  } = settings;
  if (!AUTH.includes('jwt')) return undefined;
  if (issuer === undefined || audience === undefined)
    throw new HoldfastError('CONFIGURATION', 'AUTH has jwt, so JWT_ISSUER and JWT_AUDIENCE have to be set');
  if ((url === undefined) === (file === undefined))
    throw new HoldfastError(
      'CONFIGURATION',
      'AUTH has jwt, so either JWT_JWKS_URL or JWT_KEY_FILE has to be set',
    );
  const keys = url === undefined ? { file: file ?? '' } : { url };
  const {
    JWT_SCOPES_CLAIM: scopesClaim,
    JWT_TENANT_CLAIM: tenantClaim,
    JWT_USER_CLAIM: userClaim,
  } = settings;
  return { keys, issuer, audience, scopesClaim, tenantClaim, userClaim };
}
