import { createHash } from 'node:crypto';
import { HoldfastError } from '../base/errors';
import type { Caller } from './caller';
import type { FailedAttempts } from './failed-attempts';
import type { KeyStore } from './key-store';
import { looksLikeKey } from './key-text';
import type { TokenVerifier } from './json-web-tokens';

/** Finds out who sends a request. */
export interface Authenticator {
  /**
   * @param authorization the header of the request; empty where it has none
   * @param address of the sender, by which failed attempts are counted
   * @throws HoldfastError `UNAUTHENTICATED` where the header has no valid key or token; `TOO_MANY_ATTEMPTS` after many failed
   *   attempts of the address, for a key that was not accepted before; `STORE_UNAVAILABLE` or `KEYS_UNAVAILABLE` where it cannot
   *   be checked
   */
  authenticate(authorization: string, address: string): Promise<Caller>;
  /** Whether a header that was accepted is still valid; also true where it cannot be checked now. */
  isStillValid(authorization: string): Promise<boolean>;
}

export interface AuthenticatorOptions {
  /** Absent: no keys are accepted. */
  readonly keys?: Pick<KeyStore, 'verify'> | undefined;
  /** Absent: no tokens are accepted. */
  readonly tokens?: TokenVerifier | undefined;
  readonly failures: FailedAttempts;
}

/** How many accepted keys are remembered. */
const MAX_ACCEPTED = 10_000;
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

export function createAuthenticator({ keys, tokens, failures }: AuthenticatorOptions): Authenticator {
  /**
   * Hashes of keys that were accepted, so that failed attempts of others at the same address, such as that of a proxy, do not shut
   * their holders out. They are still checked at each request.
   */
  const accepted = new Set<string>();

  function remember(hash: string): void {
    accepted.add(hash);
    if (accepted.size > MAX_ACCEPTED) accepted.delete(accepted.values().next().value ?? '');
  }

  const check = (credential: string): Promise<Caller | undefined> | undefined =>
    (looksLikeKey(credential) ? keys : tokens)?.verify(credential);

  /** Checks a key, and refuses it unchecked after many failed attempts of the address, because each check reads the store. */
  async function checkKey(key: string, address: string): Promise<Caller | undefined> {
    const hash = createHash('sha256').update(key).digest('base64');
    const waitMs = failures.waitMs(address);
    if (waitMs > 0 && !accepted.has(hash)) throw tooManyAttempts(waitMs);
    const caller = await check(key);
    if (caller !== undefined) remember(hash);
    else {
      accepted.delete(hash);
      failures.add(address);
    }
    return caller;
  }

  return {
    async isStillValid(authorization) {
      const credential = BEARER.exec(authorization)?.[1] ?? '';
      return Promise.resolve(check(credential)).then(
        (caller) => caller !== undefined,
        () => true,
      );
    },
    async authenticate(authorization, address) {
      const credential = BEARER.exec(authorization)?.[1];
      if (credential === undefined)
        throw new HoldfastError('UNAUTHENTICATED', 'The request needs a key: Authorization: Bearer KEY');
      // A token is checked without the store, and callers have another one every few minutes, so none is refused unchecked.
      const caller = await (looksLikeKey(credential) ? checkKey(credential, address) : check(credential));
      if (caller === undefined)
        throw new HoldfastError('UNAUTHENTICATED', 'The key or token is not valid, or no longer', {
          details: { error: 'invalid_token' },
        });
      return caller;
    },
  };
}

function tooManyAttempts(waitMs: number): HoldfastError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new HoldfastError('TOO_MANY_ATTEMPTS', `Too many attempts failed; try again in ${seconds} s`, {
    retryAfterMs: waitMs,
  });
}
