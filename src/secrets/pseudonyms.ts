import { createHmac } from 'node:crypto';

/** Hexadecimal digits of a pseudonym: 128 bits, so that two names never share one. */
const LENGTH = 32;

/**
 * Stands for a name where that must not be read: the same name has the same one for the same purpose, and without the key
 * nobody can tell which name it is (HMAC-SHA-256, RFC 2104).
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
