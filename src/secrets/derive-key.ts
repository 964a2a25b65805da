import { hkdfSync } from 'node:crypto';
import { KEY_BYTES } from './secret-box';

/**
 * Derives a key of its own for a purpose by HKDF-SHA-256 (RFC 5869), so that what is made with it is of no use for anything else
 * that the secret protects, and no second key has to be kept.
 */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}
