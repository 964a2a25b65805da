import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { deriveKey } from './derive-key';

/** Signs texts that others keep, so that they can check who made them. */
export interface Signer {
  /** Signs a text by Ed25519 (RFC 8032). @returns the signature in base64 */
  sign(text: string): string;
  /** The key that checks the signatures, in PEM (SubjectPublicKeyInfo). */
  readonly publicKey: string;
}

/** What precedes the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Creates a signer whose key is derived from the service's, so that every process with the same key signs alike.
 */
export function createSigner(key: Buffer, purpose: string): Signer {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, deriveKey(key, purpose)]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
  };
}
