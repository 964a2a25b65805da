import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';

/** Signs texts that others keep, so that they can check who made them. */
export interface Signer {
  /** Signs a text by Ed25519 (RFC 8032). @returns the signature in base64 */
  sign(text: string): string;
  /** The key that checks the signatures, in PEM (SubjectPublicKeyInfo). */
  readonly publicKey: string;
}

/** What precedes the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/**
 * Creates a signer whose key is derived from the service's by HKDF-SHA-256 (RFC 5869), so that every process with the same key
 * signs alike and no second key has to be kept.
 */
export function createSigner(key: Buffer, purpose: string): Signer {
  const seed = Buffer.from(hkdfSync('sha256', key, '', purpose, SEED_BYTES));
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
  };
}
