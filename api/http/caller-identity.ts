import type { Authenticator } from '../../src/access/authenticator';
import type { Caller } from '../../src/access/caller';
import type { RunOwner } from '../../src/contracts/runs/run-owner';
import { pseudonymsOfTenant, RUN_USER, type Pseudonyms } from '../../src/secrets/pseudonyms';
import type { KeyStore } from '../../src/access/key-store';
import { HoldfastError } from '../../src/base/errors';
import type { Maker } from '../../src/secrets/signed-texts';

/** What stands for an authenticated caller in workflow ids. */
export interface CallerIdentity {
  /** Whose runs the caller starts and sees: those of its user, or those of its tenant if it has none. */
  readonly owner: RunOwner;
  /** Precedes the caller's idempotency keys, so that no two callers join each other's runs. */
  readonly keyPrefix: string;
}

/** How a server authenticates callers. */
export interface Authentication {
  readonly authenticator: Authenticator;
  readonly identify: (caller: Caller) => CallerIdentity;
}

/** 64 bits, so that no two callers of a deployment share a prefix. */
const PREFIX_LENGTH = 16;

/** @param pseudonyms keyed, because people see workflow ids, and a plain hash of a subject could be guessed */
export function identifyBy(pseudonyms: Pseudonyms): Authentication['identify'] {
  return ({ id = '', tenant, userId }) => {
    const keyPrefix = pseudonyms('caller', id).slice(0, PREFIX_LENGTH);
    if (userId === undefined) return { owner: { tenant }, keyPrefix };
    return { owner: { tenant, user: pseudonymsOfTenant(pseudonyms, tenant)(RUN_USER, userId) }, keyPrefix };
  };
}

/** Absent: keys are not accepted. */
type Keys = Pick<KeyStore, 'stampOf'> | undefined;

/** How a caller is authenticated. @throws HoldfastError `UNAUTHENTICATED` if its key was revoked meanwhile */
export async function makerOf({ keyId, id }: Caller, keys: Keys): Promise<Maker> {
  if (keyId === undefined) return { by: id === undefined ? 'none' : 'jwt' };
  const stamp = await keys?.stampOf(keyId);
  if (stamp === undefined) throw new HoldfastError('UNAUTHENTICATED', 'The key is not valid any more');
  return { by: 'key', key: keyId, stamp };
}

/** Whether the maker of a signed text may still do what the text says. @param authenticated whether callers are */
export async function isMakerValid(
  { by, key = '', stamp }: Maker,
  keys: Keys,
  authenticated: boolean,
): Promise<boolean> {
  if (by === 'none') return !authenticated;
  if (by === 'jwt') return authenticated;
  return stamp !== undefined && (await keys?.stampOf(key)) === stamp;
}
