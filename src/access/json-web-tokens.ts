import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HoldfastError, codeOf, messageOf } from '../base/errors';
import { SCOPES, type Scope } from '../contracts/http/access';
import { DEFAULT_TENANT, tenantSchema, userIdSchema } from '../contracts/tenants';
import type { TokenSettings } from '../settings/tokens';
import type { Caller } from './caller';
import type { CryptoKey, JWTPayload } from 'jose';
import { limitBody } from '../egress/checked-fetch';
import { fitJson } from '../egress/json-bodies';
import { MAX_NESTING } from '../base/json/bounds';

/** The sets of large issuers have some tens of kilobytes. */
const MAX_KEY_SET_BYTES = 262_144;

export interface TokenVerifier {
  /**
   * Returns who has the token; undefined if it is not valid.
   * @throws HoldfastError `KEYS_UNAVAILABLE` (retryable) if the key set cannot be read
   */
  verify(token: string): Promise<Caller | undefined>;
}

/** They are asymmetric, because a party that can verify a symmetric signature can also make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** How far the clock of the issuer may differ, seconds. */
const CLOCK_TOLERANCE_S = 5;
const FETCH_LIMIT_MS = 5_000;
/** Errors of jose that say nothing about the token. All its other errors do. */
const SET_ERRORS = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);
const SEVERAL_KEYS = 'ERR_JWKS_MULTIPLE_MATCHING_KEYS';
const OTHER_KEY = 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';

/**
 * Creates the check of JSON Web Tokens (RFC 7519), which need the claims `sub` and `exp`. A key set is fetched at the first token, again when a token names a key that
 * is not in it, and at most every 30 s.
 * @param now epoch milliseconds
 * @throws HoldfastError `CONFIGURATION` if the file has no public key
 */
export async function createTokenVerifier(
  settings: TokenSettings,
  now: () => number = Date.now,
): Promise<TokenVerifier> {
  const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose');
  const { keys, issuer, audience } = settings;
  const fixed = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_S,
    requiredClaims: ['sub', 'exp'],
  };
  const file = 'file' in keys ? await readPublicKey(keys.file) : undefined;
  const remote =
    'url' in keys
      ? createRemoteJWKSet(new URL(keys.url), { timeoutDuration: FETCH_LIMIT_MS, [customFetch]: fetchKeySet })
      : undefined;

  async function readToken(token: string): Promise<JWTPayload> {
    const options = { ...fixed, currentDate: new Date(now()) };
    if (remote === undefined) return (await jwtVerify(token, file as KeyObject, options)).payload;
    try {
      return (await jwtVerify(token, remote, options)).payload;
    } catch (error) {
      if (codeOf(error) !== SEVERAL_KEYS) throw error;
      // The token names no key, and the set has several of its kind, for example while the issuer replaces one by another.
      for await (const key of error as AsyncIterable<CryptoKey>) {
        try {
          return (await jwtVerify(token, key, options)).payload;
        } catch (failure) {
          if (codeOf(failure) !== OTHER_KEY) throw failure;
        }
      }
      throw error;
    }
  }

  return {
    async verify(token) {
      try {
        return toCaller(await readToken(token), settings);
      } catch (error) {
        const code = codeOf(error);
        const isOfToken = remote === undefined || (code.startsWith('ERR_J') && !SET_ERRORS.has(code));
        if (isOfToken) return undefined;
        throw new HoldfastError('KEYS_UNAVAILABLE', 'The keys that verify tokens cannot be read', {
          cause: error,
          retryable: true,
        });
      }
    },
  };
}

/** @returns undefined if a claim that the settings name is missing or malformed, because its absence must not mean more rights */
function toCaller(
  payload: JWTPayload,
  { scopesClaim, tenantClaim, userClaim }: TokenSettings,
): Caller | undefined {
  const tenant = tenantClaim === undefined ? DEFAULT_TENANT : payload[tenantClaim];
  const userId = userClaim === undefined ? undefined : payload[userClaim];
  if (!tenantSchema.safeParse(tenant).success) return undefined;
  if (userClaim !== undefined && !userIdSchema.safeParse(userId).success) return undefined;
  return {
    id: `jwt/${payload.sub}`,
    scopes: readScopes(payload[scopesClaim]),
    tenant: tenant as string,
    userId: userId as string | undefined,
  };
}

/** Scopes that the service does not have are left out, because tokens are also for other services. */
function readScopes(claim: unknown): ReadonlySet<Scope> {
  const named: readonly unknown[] =
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return new Set(SCOPES.filter((scope) => named.includes(scope)));
}

async function readPublicKey(file: string): Promise<KeyObject> {
  try {
    return createPublicKey(await readFile(file));
  } catch (error) {
    throw new HoldfastError('CONFIGURATION', `JWT_KEY_FILE cannot be used: ${messageOf(error)}`);
  }
}

/** Fetches a key set. Its body fails if it is too long or nested too deeply, because jose copies the set recursively. */
export async function fetchKeySet(url: string, options: RequestInit) {
  const unfit = (problem: string) => (): Error => new Error(`the key set ${problem}`);
  const response = limitBody(
    // The types of undici and of Node describe the same classes.
    (await fetch(url, options)) as never,
    MAX_KEY_SET_BYTES,
    unfit(`has more than ${MAX_KEY_SET_BYTES} bytes`),
  );
  return fitJson(response, unfit(`is nested deeper than ${MAX_NESTING} levels`));
}
