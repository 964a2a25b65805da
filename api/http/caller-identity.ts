import type { Authenticator } from '../../src/access/authenticator';
import type { Caller } from '../../src/access/caller';
import type { RunOwner } from '../../src/contracts/runs/run-owner';
import { pseudonymsOfTenant, RUN_USER, type Pseudonyms } from '../../src/secrets/pseudonyms';

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
