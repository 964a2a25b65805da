import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Bytes of an id, which is no secret, and of a secret, which is too long to be guessed. */
const ID_BYTES = 8;
const SECRET_BYTES = 32;
const KEY = /^hfast_([0-9a-f]{16})_([\w-]{43})$/;

/** The two parts of a key `hfast_ID_SECRET`. */
export interface KeyParts {
  readonly id: string;
  readonly secret: string;
}

/** Whether a text has the prefix of a key; tokens have none. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith('hfast_');
}

/** Reads a key. @returns undefined if the text cannot be one */
export function readKey(text: string): KeyParts | undefined {
  const [, id, secret] = KEY.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

export function writeKey({ id, secret }: KeyParts): string {
  return `hfast_${id}_${secret}`;
}

export function newKeyId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

export function newKeySecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Hashes a secret for storage, in hexadecimal. One round of SHA-256 is enough, because a secret has 256 random bits; slow hashes
 * protect passwords, which can be guessed.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares a secret with a stored hash, in a time that does not depend on where the two differ. */
export function isSecretOf(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex'));
}
