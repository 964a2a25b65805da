import { createHmac } from 'node:crypto';
import { DEFAULT_TENANT } from '../contracts/tenants';

/** The number of hexadecimal digits of a pseudonym: 128 bits, so that no two names share one. */
const LENGTH = 32;

/**
 * Returns a text that replaces a name where the name must not be readable. A name always has the same pseudonym for the same
 * purpose, and without the key the name cannot be found from it (HMAC-SHA-256, RFC 2104).
 */
export type Pseudonyms = (purpose: string, name: string) => string;

/** The purpose of pseudonyms that stand for users in workflow ids and search attributes. */
export const RUN_USER = 'run-user';

export function createPseudonyms(key: Buffer): Pseudonyms {
  return (purpose, name) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, name]))
      .digest('hex')
      .slice(0, LENGTH);
}

/** Builds the pseudonym that stands for a session in search attributes and in the order of its turns. */
export function pseudonymOfSession(
  pseudonyms: Pseudonyms,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): string {
  return pseudonyms('run-session', JSON.stringify([userId, sessionId]));
}

/** Derives the pseudonyms of a tenant: a name has others for each tenant. The default tenant has those of the service. */
export function pseudonymsOfTenant(pseudonyms: Pseudonyms, tenant: string): Pseudonyms {
  if (tenant === DEFAULT_TENANT) return pseudonyms;
  return (purpose, name) => pseudonyms(`@${tenant}/${purpose}`, name);
}
