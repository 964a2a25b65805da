import { HoldfastError } from '../base/errors';
import type { Caller } from './caller';
import type { FailedAttempts } from './failed-attempts';
import type { KeyStore } from './key-store';
import { looksLikeKey, readKey } from './key-text';
import type { TokenVerifier } from './json-web-tokens';

/** Finds out who sends a request. */
export interface Authenticator {
  /**
   * @param authorization the header of the request; empty if it has none
   * @param address of the sender, by which wrong keys are counted
   * @throws HoldfastError `UNAUTHENTICATED` if the header has no valid key or token; `TOO_MANY_ATTEMPTS` for a wrong key after
   *   many wrong keys of the address with the same id; `STORE_UNAVAILABLE` or `KEYS_UNAVAILABLE` if it cannot be checked
   */
  authenticate(authorization: string, address: string): Promise<Caller>;
  /** Whether a header that was accepted is still valid; also true if it cannot be checked now. */
  isStillValid(authorization: string): Promise<boolean>;
}

export interface AuthenticatorOptions {
  /** Absent: no keys are accepted. */
  readonly keys?: Pick<KeyStore, 'verify'> | undefined;
  /** Absent: no tokens are accepted. */
  readonly tokens?: TokenVerifier | undefined;
  readonly failures: FailedAttempts;
}

const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

export function createAuthenticator({ keys, tokens, failures }: AuthenticatorOptions): Authenticator {
  const check = (credential: string): Promise<Caller | undefined> | undefined =>
    (looksLikeKey(credential) ? keys : tokens)?.verify(credential);

  /**
   * Checks a key, always: its id and its hash cost no more than the request itself, so wrong keys of others at the same address,
   * such as that of a proxy, never keep a right one away.
   */
  async function checkKey(key: string, address: string): Promise<Caller | undefined> {
    const caller = await check(key);
    if (caller !== undefined) return caller;
    const waitMs = failures.add(address, readKey(key)?.id ?? '');
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    return undefined;
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
      // Tokens are not counted: they have no id that would tell one holder from another.
      const caller = await (looksLikeKey(credential) ? checkKey(credential, address) : check(credential));
      if (caller === undefined)
        throw new HoldfastError('UNAUTHENTICATED', 'The key or token is not valid, or no longer', {
          details: { error: 'invalid_token' },
        });
      return caller;
    },
  };
}

/** The error of a sender whose attempts have failed too often. */
export function tooManyAttempts(waitMs: number): HoldfastError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new HoldfastError('TOO_MANY_ATTEMPTS', `Too many attempts failed; try again in ${seconds} s`, {
    retryAfterMs: waitMs,
  });
}
