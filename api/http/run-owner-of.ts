import type { Caller } from '../../src/access/caller';
import type { RunOwner } from '../../src/contracts/runs/run-owner';
import { pseudonymsOfTenant, RUN_USER, type Pseudonyms } from '../../src/secrets/pseudonyms';

/** Returns whose runs a caller starts and sees: those of its user, or those of its tenant where it has none. */
export function runOwnerOf({ tenant, userId }: Caller, pseudonyms: Pseudonyms): RunOwner {
  if (userId === undefined) return { tenant };
  return { tenant, user: pseudonymsOfTenant(pseudonyms, tenant)(RUN_USER, userId) };
}
